import { z } from "zod";
import { call, id } from "./call.ts";

/** Size of a link preview in pixels, as Open Graph recommends. */
export const linkPreviewSize = { width: 1200, height: 630 } as const;

export const drawLinkPreview = call({
  method: "GET",
  path: "/link-previews/{id}/{version}.jpg",
  at: "root",
  access: "public",
  summary:
    "A laptop's link preview with its photo, name, price and condition; the address in its `linkPreview` changes with them, so it can be cached",
  reads: ["products"],
  uncached: true,
  params: z.object({ id, version: z.string().max(64, "There is no such link preview.") }),
  answers: { 200: z.file().mime("image/jpeg") },
  limit: { most: 30, minutes: 10 },
  refusals: ["NOT_FOUND", "GONE", "UNAVAILABLE"],
});

/** The path of a laptop's link preview. */
export function linkPreviewPath(id: string, version: string): string {
  return `/link-previews/${id}/${version}.jpg`;
}
