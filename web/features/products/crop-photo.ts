import type { Area } from "react-easy-crop";
import { drawPhoto } from "#web/ui/shrink-photo.ts";

/** A chosen photo and its crop. `area` is null until the crop is known. */
export type ChosenPhoto = { file: File; area: Area | null };

/** A chosen photo, or the URL of an uploaded photo. */
export type LaptopPhoto = ChosenPhoto | { img: string };

/** Crops and downscales the photo to a JPEG. Without a crop, returns the file unchanged. */
export async function cropPhoto({ file, area }: ChosenPhoto): Promise<File> {
  return area === null ? file : await drawPhoto(file, () => area);
}
