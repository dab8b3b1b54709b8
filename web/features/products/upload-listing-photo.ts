import type { QueryClient } from "@tanstack/react-query";
import { readConfig } from "#contract/config.ts";
import { queryOf } from "#web/api/api.ts";
import { uploadPhoto } from "#web/api/upload-photo.ts";
import { type ChosenPhoto, cropPhoto } from "./crop-photo.ts";

/** Uploads a listing's photo to the image host; resolves to its address. `onProgress`: the share sent, if known. */
export async function uploadListingPhoto(
  queries: QueryClient,
  photo: ChosenPhoto,
  onProgress: (share: number | undefined) => void,
): Promise<string> {
  onProgress(0);
  const { imageHost } = await queries.query({ ...queryOf(readConfig, {}), staleTime: "static" });
  const address = `${imageHost.url}/1/upload?key=${encodeURIComponent(imageHost.key)}`;
  return await uploadPhoto(await cropPhoto(photo), address, onProgress);
}
