import { imageTypes, wrongImageType } from "#contract/images.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { hasImageSignature } from "./photo-limits.ts";

/** A photo in a listing: the address, and the preview if this server made one. */
export type ListedImage = { img: string; img_preview: string | null };

/**
 * Checks that an address of the image host delivers a photo. Returns undefined for other hosts.
 * Throws `NOT_AN_IMAGE`, `TOO_LARGE`, and `UNAVAILABLE` if the host doesn't deliver the photo in
 * time. `field`: the form field with the address.
 */
export async function findHostedImage(
  { imageHost }: Pick<Deps, "imageHost">,
  { address, field }: { address: string; field: string },
): Promise<ListedImage | undefined> {
  const url = URL.parse(address);
  if (!imageHost || !url || !imageHost.origins.includes(url.origin)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const file = await imageHost.download(url, "start");
  const refusal = (code: "TOO_LARGE" | "NOT_AN_IMAGE", message: string) =>
    new AppError(code, message, { [field]: message });
  if (file === "too large") throw refusal("TOO_LARGE", "Choose a photo of up to 10 MB.");
  const isPhoto =
    file !== "refused" && imageTypes.includes(file.type) && hasImageSignature(file.bytes);
  if (isPhoto) return { img: url.href, img_preview: null };
  throw refusal("NOT_AN_IMAGE", `There is no photo at this address. ${wrongImageType}`);
}
