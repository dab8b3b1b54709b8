import type { Area } from "react-easy-crop";

/** A photo somebody chose, and the part of it that shows; null while it is not known. */
export type ChosenPhoto = { file: File; area: Area | null };

/** As wide as the largest size a photo is kept at, with some to spare for dense screens. */
const widest = 1_600;

/** The part that shows as a JPEG no larger than needed, which also makes a quick upload on a slow line. */
export async function cropPhoto({ file, area }: ChosenPhoto): Promise<File> {
  if (area === null) return file;
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.min(widest, area.width);
  canvas.height = Math.round((canvas.width * area.height) / area.width);
  const { x, y, width, height } = area;
  canvas.getContext("2d")?.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  const jpeg = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.92));
  return jpeg ? new File([jpeg], "laptop.jpg", { type: jpeg.type }) : file;
}
