import type { Area } from "react-easy-crop";

/** A chosen photo and its crop; null until the crop is known. */
export type ChosenPhoto = { file: File; area: Area | null };

/** Somewhat wider than the largest stored size, for dense screens. */
const maxWidth = 1_600;

/** Crops and downscales the photo to a JPEG, for a quick upload. */
export async function cropPhoto({ file, area }: ChosenPhoto): Promise<File> {
  if (area === null) return file;
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.min(maxWidth, area.width);
  canvas.height = Math.round((canvas.width * area.height) / area.width);
  const { x, y, width, height } = area;
  canvas.getContext("2d")?.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  const jpeg = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.92));
  return jpeg ? new File([jpeg], "laptop.jpg", { type: jpeg.type }) : file;
}
