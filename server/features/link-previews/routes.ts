import { drawLinkPreview, linkPreviewPath } from "#contract/link-previews.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { createLinkPreviews } from "./link-previews.ts";

/** A request for another version gets the current preview, which caches must not store. */
export function linkPreviewRoutes({ route, deps }: Router): void {
  const find = createLinkPreviews();
  route(drawLinkPreview, async ({ params: { id, version }, request }) => {
    const { jpeg, path } = await find(deps, id, networkOf(request.ip));
    const isCurrent = path === linkPreviewPath(id, version);
    const cacheControl = isCurrent ? "public, max-age=31536000, immutable" : "private, no-cache";
    return ok({ bytes: jpeg, type: "image/jpeg", cacheControl });
  });
}
