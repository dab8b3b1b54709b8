/** Widths of the WebP versions, in pixels. The JPEG is at most 1280 pixels wide. */
export const imageWidths = [320, 640, 1280] as const;

/** Undefined if the shop has no WebP versions of the image. `toUrl` maps paths to URLs. */
export function imageSrcset(img: string, toUrl = (path: string) => path): string | undefined {
  const stem = /^(.*\/images\/[0-9a-f]{64})\.jpg$/.exec(img)?.[1];
  if (stem === undefined) return undefined;
  return imageWidths.map((width) => `${toUrl(`${stem}-${width}.webp`)} ${width}w`).join(", ");
}

export const previewSize = { width: 4, height: 3 } as const;

/** The header of a bitmap file: 24 bits per pixel, top row first (BITMAPINFOHEADER). */
const bitmapOfPreview = "Qk1aAAAAAAAAADYAAAAoAAAABAAAAP3///8BABgAAAAAACQAAAATCwAAEwsAAAAAAAAAAAAA";

/** A data URL of the preview, which is shown blurred until the photo has loaded. */
export function previewUrl(preview: string): string {
  return `data:image/bmp;base64,${bitmapOfPreview}${preview}`;
}
