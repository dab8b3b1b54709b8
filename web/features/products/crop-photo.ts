import type { Area } from "react-easy-crop";

/** A chosen photo and its crop; null until the crop is known. */
export type ChosenPhoto = { file: File; area: Area | null };

/** A chosen photo, or the address of one that is uploaded already. */
export type LaptopPhoto = ChosenPhoto | { img: string };

/** Somewhat wider than the largest stored size, for dense screens. */
const maxWidth = 1_600;

/** Crops and downscales the photo to a JPEG, for a quick upload. */
export async function cropPhoto({ file, area }: ChosenPhoto): Promise<File> {
  return area === null ? file : await draw(file, () => area);
}

/** Downscales the whole photo to a JPEG. Throws if the browser can't open the file. */
export async function shrinkPhoto(file: File): Promise<File> {
  return await draw(file, ({ naturalWidth: width, naturalHeight: height }) => ({
    x: 0,
    y: 0,
    width,
    height,
  }));
}

async function draw(file: File, areaOf: (image: HTMLImageElement) => Area): Promise<File> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    const { x, y, width, height } = areaOf(image);
    const canvas = document.createElement("canvas");
    canvas.width = Math.min(maxWidth, width);
    canvas.height = Math.round((canvas.width * height) / width);
    const context = canvas.getContext("2d");
    context?.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
    const jpeg = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.92));
    return jpeg ? new File([jpeg], "laptop.jpg", { type: jpeg.type }) : file;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
