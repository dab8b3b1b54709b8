import type { FastifyInstance } from "fastify";
import { previewCookie } from "#contract/shop.ts";
import { withDraft } from "../current-shop.ts";
import type { Deps } from "../deps.ts";
import { readDraft } from "../features/shop-settings/shop-settings.ts";

const cookie = new RegExp(
  `(?:^|; )${previewCookie}=([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})(?:;|$)`,
);

/**
 * Shows the draft settings to browsers that have the draft's id in a cookie. Only admins get the
 * id. Only reads are part of the preview; writes use the published settings, such as the fee.
 */
export function previewDrafts(app: FastifyInstance, { db }: Pick<Deps, "db">): void {
  app.addHook("onRequest", ({ method, url, headers }, _, done) => {
    const isFile = url.startsWith("/assets/") || url.startsWith("/images/");
    const id = method === "GET" && !isFile && cookie.exec(headers.cookie ?? "")?.[1];
    if (!id) return done();
    readDraft(db, id).then(
      (draft) => (draft ? withDraft(draft, done) : done()),
      // If the draft can't be read, the page has the published settings.
      () => done(),
    );
  });
}
