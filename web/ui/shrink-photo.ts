/** An area of a photo, in the photo's own pixels. */
type Area = { x: number; y: number; width: number; height: number };

/** In pixels. Wider than the largest size that our server stores. */
const maxWidth = 1_600;

/** Draws the photo, or an area of it, as a JPEG. Throws if the browser can't open the file. */
export async function shrinkPhoto(file: File, area?: Area | null): Promise<File> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    const whole = { x: 0, y: 0, width: image.naturalWidth, height: image.naturalHeight };
    const { x, y, width, height } = area ?? whole;
    const canvas = document.createElement("canvas");
    canvas.width = Math.min(maxWidth, width);
    canvas.height = Math.round((canvas.width * height) / width);
    const context = canvas.getContext("2d");
    context?.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
    const jpeg = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.92));
    return jpeg ? new File([jpeg], "laptop.jpg", { type: jpeg.type }) : file;
  } catch {
    throw new Error(unreadablePhoto);
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

export const unreadablePhoto =
  "Your browser can't open that file. Choose a JPEG, PNG, WebP or AVIF photo.";
