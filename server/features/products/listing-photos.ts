import type { z } from "zod";
import { imageTypes, wrongImageType } from "#contract/images.ts";
import type { newProduct } from "#contract/products.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { fieldError, TooManyRequests } from "../../errors.ts";
import { RunningCounts } from "../../running-counts.ts";
import { hasImageSignature } from "../images/check-photo.ts";
import { imagePath } from "../images/photo-files.ts";
import { findPreview, requireUploadedImages } from "../images/unused-images.ts";

type ShownPhotos = ListedImage & { more_images: string[] };

/** `address`: a path of this shop, or a URL elsewhere. */
type SentPhoto = { field: string; address: string };

type Sent = Pick<z.output<typeof newProduct>, "img" | "images">;

/** `hosted`: the photos checked at the image host, by URL. */
type SentPhotos = { photos: SentPhoto[]; hosted: Map<string, ListedImage> };

/**
 * Maximum requests of one member that check photos at once, so that no member uses up the image
 * host adapter's concurrent downloads.
 */
const maxChecks = 2;

const running = new RunningCounts();

/** Checks the photos at the image host, except those in `listed`. Must run outside transactions. */
export async function readSentPhotos(
  deps: Pick<Deps, "imageHost" | "config">,
  { img, images, seller }: Sent & { seller: Member },
  listed: Pick<ShownPhotos, "img" | "more_images"> = { img: "", more_images: [] },
): Promise<SentPhotos> {
  if (images && images[0] !== img)
    throw fieldError("images", "The first of images has to be img, which is the cover.");
  const known = [listed.img, ...listed.more_images];
  const pathOf = (address: string) => imagePath(address, deps.config.publicUrl);
  const cover = pathOf(img);
  const kept = listed.more_images.filter((other) => other !== cover);
  const addresses = images?.map(pathOf) ?? [cover, ...kept];
  const photos = addresses.map((address, index) => ({
    field: index === 0 ? "img" : `images.${index}`,
    address,
  }));
  requireDifferent(photos);
  const unknown = photos.filter(({ address }) => !known.includes(address));
  if (running.of(seller.id) >= maxChecks) throw new TooManyRequests(30, busy);
  const hosted = await findHosted(deps, unknown).finally(running.begin(seller.id));
  return { photos, hosted };
}

/** Checks one photo at a time, so that a request holds only one of the adapter's download slots. */
async function findHosted(deps: Pick<Deps, "imageHost">, photos: SentPhoto[]) {
  const hosted = new Map<string, ListedImage>();
  for (const photo of photos) {
    const image = await findHostedImage(deps, photo);
    if (image) hosted.set(photo.address, image);
  }
  return hosted;
}

/** Returns the columns of a listing's photos. Throws `INVALID_INPUT` or `IMAGE_NOT_OURS`. */
export async function requirePhotos(
  tx: Tx,
  seller: Member,
  { photos, hosted, listed }: SentPhotos & { listed?: ShownPhotos },
): Promise<ShownPhotos> {
  const known = new Map(hosted);
  if (listed) known.set(listed.img, { img: listed.img, img_preview: listed.img_preview });
  for (const img of listed?.more_images ?? []) known.set(img, { img, img_preview: null });
  const sent = photos.filter(({ address }) => !known.has(address));
  for (const image of await requireUploadedImages(tx, seller, sent)) known.set(image.img, image);
  const chosen = photos.flatMap(({ address }) => known.get(address) ?? []);
  const [cover, ...more] = chosen;
  if (!cover) throw fieldError("img", "Photo is Required.");
  const { img } = cover;
  // `known` has no preview of a cover that was in `more_images`.
  const img_preview = cover.img_preview ?? (await findPreview(tx, seller, img));
  return { img, img_preview, more_images: more.map((image) => image.img) };
}

function requireDifferent(photos: SentPhoto[]): void {
  const seen = new Set<string>();
  for (const { field, address } of photos) {
    const same = URL.parse(address)?.href ?? address;
    if (seen.has(same))
      throw fieldError(field, "This photo is in the listing twice. Leave one out.");
    seen.add(same);
  }
}

/** `img` is a URL or a path. Only photos that were uploaded to this server can have a preview. */
type ListedImage = { img: string; img_preview: string | null };

/**
 * Returns undefined for addresses outside the image host. Throws `NOT_AN_IMAGE`, `TOO_LARGE`, or
 * the host's `UNAVAILABLE`.
 */
async function findHostedImage(
  { imageHost }: Pick<Deps, "imageHost">,
  { address, field }: { address: string; field: string },
): Promise<ListedImage | undefined> {
  const url = URL.parse(address);
  if (!imageHost || !url || !imageHost.origins.includes(url.origin)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const file = await imageHost.download(url, "start");
  if (file === "too large") throw fieldError(field, "Choose a photo of up to 10 MB.", "TOO_LARGE");
  const isPhoto =
    file !== "refused" && imageTypes.includes(file.type) && hasImageSignature(file.bytes);
  if (isPhoto) return { img: url.href, img_preview: null };
  throw fieldError(field, `There is no photo at this address. ${wrongImageType}`, "NOT_AN_IMAGE");
}

const busy =
  "We're still checking the photos of other laptops you sent. Please try again in half a minute.";
