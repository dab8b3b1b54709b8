/** Widths of a photo's WebP versions, in pixels. The photo's JPEG is at most 1280 pixels wide. */
export const imageWidths = [320, 640, 1280] as const;

/** An image's `srcset`; undefined if the image is on another server. `toUrl` maps paths to URLs. */
export function imageSrcset(img: string, toUrl = (path: string) => path): string | undefined {
  const stem = /^(.*\/images\/[0-9a-f]{64})\.jpg$/.exec(img)?.[1];
  if (stem === undefined) return undefined;
  return imageWidths.map((width) => `${toUrl(`${stem}-${width}.webp`)} ${width}w`).join(", ");
}

/** Preview size in pixels. */
export const previewSize = { width: 4, height: 3 } as const;

/** Header of a preview's bitmap file: 24 bits per pixel, top row first (BITMAPINFOHEADER). */
const bitmapOfPreview = "Qk1aAAAAAAAAADYAAAAoAAAABAAAAP3///8BABgAAAAAACQAAAATCwAAEwsAAAAAAAAAAAAA";

/** Data URL of a preview, shown blurred until the photo has loaded. */
export function previewUrl(preview: string): string {
  return `data:image/bmp;base64,${bitmapOfPreview}${preview}`;
}
