import type { Area } from "react-easy-crop";
import { readConfig } from "#contract/config.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { uploadPhoto } from "#web/api/upload-photo.ts";
import { shrinkPhoto } from "#web/ui/shrink-photo.ts";

/** `area` is null until the crop is known. */
export type ChosenPhoto = { file: File; area: Area | null };

export type LaptopPhoto = ChosenPhoto | { img: string };

type Progress = (share: number | undefined) => void;

/** Resolves to the photo's URL. `onProgress` gets the uploaded share, if known. */
export async function uploadListingPhoto(
  photo: LaptopPhoto,
  onProgress: Progress,
): Promise<string> {
  if ("img" in photo) return photo.img;
  const { file, area } = photo;
  onProgress(0);
  return await upload(area ? await shrinkPhoto(file, area) : file, onProgress);
}

/** Crops the photo only if it used to be the cover. */
export async function uploadPicture(
  { file, area }: ChosenPhoto,
  onProgress: Progress,
): Promise<string> {
  return await upload(await shrinkPhoto(file, area), onProgress);
}

async function upload(file: File, onProgress: Progress): Promise<string> {
  const { imageHost } = await browserQueries.query({
    ...queryOf(readConfig, {}),
    staleTime: "static",
  });
  const address = `${imageHost.url}/1/upload?key=${encodeURIComponent(imageHost.key)}`;
  return await uploadPhoto(file, address, onProgress);
}
