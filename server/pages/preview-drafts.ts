import type { FastifyInstance, FastifyRequest } from "fastify";
import { previewCookie } from "#contract/shop.ts";
import type { ShopSettings } from "#contract/shop-settings.ts";
import { withDraft } from "../current-shop.ts";
import type { Deps } from "../deps.ts";
import { readDraft } from "../features/shop-settings/shop-settings.ts";

const cookie = new RegExp(
  `(?:^|; )${previewCookie}=([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})(?:;|$)`,
);

/** Reads use the draft whose id is in the preview cookie. Writes use the published settings. */
export function previewDrafts(app: FastifyInstance, { db }: Pick<Deps, "db">): void {
  app.addHook("onRequest", ({ method, url, headers }, _, done) => {
    const isFile = url.startsWith("/assets/") || url.startsWith("/images/");
    if (method !== "GET" || isFile || !headers.cookie?.includes(previewCookie)) return done();
    findPreview(db, { headers }).then(
      (draft) => (draft ? withDraft(draft, done) : done()),
      // If the draft can't be read, the page has the published settings.
      () => done(),
    );
  });
}

export async function findPreview(
  db: Deps["db"],
  { headers }: Pick<FastifyRequest, "headers">,
): Promise<ShopSettings | undefined> {
  const id = cookie.exec(headers.cookie ?? "")?.[1];
  return id === undefined ? undefined : await readDraft(db, id);
}
