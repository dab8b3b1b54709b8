import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { informationTitles, laptopPath, sellerPath } from "#contract/page-paths.ts";
import type { Tx } from "../db/database.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { listCategories } from "../features/categories/categories.ts";
import { sendCachedResponse } from "../public-cache/cached-response.ts";

/** The sitemap's pages, apart from those of categories, laptops and sellers. */
const pages = [
  "/",
  "/search",
  "/blogs",
  ...Object.values(informationTitles).flatMap((titles) => Object.keys(titles)),
];

/** Paths closed to search engines, such as the API, members' pages and pages for email links. */
const closed = [
  "/api/",
  "/dashboard",
  "/auth/",
  "/reset-password",
  "/confirm-email",
  "/unsubscribe",
  "/account-deleted",
];

const dayMs = 24 * 3_600_000;
const weekMs = 7 * dayMs;
const maxAge = 3_600;

/**
 * Serves robots.txt and sitemaps: one for pages, one for sellers, and one for each week since the
 * oldest laptop for sale was listed.
 */
export function sitemapRoutes(app: FastifyInstance, deps: Deps): void {
  const origin = new URL(deps.config.publicUrl).origin;
  const hidden = { schema: { hide: true } };
  app.get("/robots.txt", hidden, async (_, reply) =>
    reply
      .type("text/plain; charset=utf-8")
      .header("cache-control", `public, max-age=${maxAge}`)
      .send(
        `User-agent: *\n${closed.map((path) => `Disallow: ${path}\n`).join("")}\nSitemap: ${origin}/sitemap.xml\n`,
      ),
  );
  addSitemap("/sitemap.xml", async () => index(origin, await listWeeks(deps)));
  addSitemap("/sitemaps/pages.xml", async () => {
    const categories = await listCategories(deps.db);
    const lists = categories.map(({ _id }) => `/categoryProducts/${_id}`);
    return document(
      "urlset",
      [...pages, ...lists].map((path) => url(`${origin}${path}`)),
    );
  });
  addSitemap("/sitemaps/sellers.xml", async () => {
    const ids = await listShownSellers(deps.db);
    return document(
      "urlset",
      ids.map((id) => url(`${origin}${sellerPath(id)}`)),
    );
  });
  app.get<{ Params: { week: string } }>("/sitemaps/:week.xml", hidden, async (request, reply) => {
    const from = new Date(`${request.params.week}T00:00:00Z`);
    const weeks = await listWeeks(deps);
    if (!weeks.some((week) => week.getTime() === from.getTime()))
      throw new AppError("NOT_FOUND", "There is no such sitemap.");
    const to = new Date(from.getTime() + weekMs);
    return await send({ request, reply, name: nameOf(from) }, async () => {
      const listed = await listListedBetween(deps.db, from, to);
      const urls = listed.map(({ id, product_name, posted_at }) =>
        url(`${origin}${laptopPath(id, product_name)}`, posted_at),
      );
      return document("urlset", urls);
    });
  });

  function addSitemap(path: string, render: () => Promise<string>): void {
    app.get(path, hidden, (request, reply) => send({ request, reply, name: path }, render));
  }

  type Asked = { request: FastifyRequest; reply: FastifyReply; name: string };

  async function send({ request, reply, name }: Asked, render: () => Promise<string>) {
    const hour = Math.floor(deps.clock.now().getTime() / 3_600_000);
    const headers = {
      "content-type": "application/xml; charset=utf-8",
      "cache-control": `public, max-age=${maxAge}`,
    };
    const found = await deps.publicCache.get(`sitemap ${name} ${hour}`, async () => ({
      status: 200,
      headers,
      body: await render(),
    }));
    return await sendCachedResponse(found, request, reply);
  }
}

async function listWeeks({ db, clock }: Deps): Promise<Date[]> {
  const first = await findFirstListing(db);
  if (!first) return [];
  const count = Math.floor((clock.now().getTime() - mondayOf(first)) / weekMs) + 1;
  return Array.from({ length: count }, (_, n) => new Date(mondayOf(first) + n * weekMs));
}

/** Returns the start of the time's week. 1970-01-05 was a Monday. */
function mondayOf(time: Date): number {
  const since = time.getTime() - 4 * dayMs;
  return Math.floor(since / weekMs) * weekMs + 4 * dayMs;
}

function nameOf(week: Date): string {
  return week.toISOString().slice(0, 10);
}

function index(origin: string, weeks: Date[]): string {
  const entries = ["pages", "sellers", ...weeks.map(nameOf)].map(
    (name) => `<sitemap><loc>${origin}/sitemaps/${name}.xml</loc></sitemap>`,
  );
  return document("sitemapindex", entries);
}

function url(address: string, changed?: Date): string {
  const lastmod = changed ? `<lastmod>${nameOf(changed)}</lastmod>` : "";
  return `<url><loc>${address}</loc>${lastmod}</url>`;
}

function document(root: string, entries: string[]): string {
  const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">\n${entries.join("\n")}\n</${root}>\n`;
}

/** Maximum number of URLs in a sitemap (sitemaps.org). */
const maxAddresses = 50_000;

type Listed = { id: string; product_name: string; posted_at: Date };

/** The listing time of the oldest laptop for sale, from its id; undefined if none is for sale. */
async function findFirstListing(tx: Tx): Promise<Date | undefined> {
  const first = await selectListed(tx).limit(1).executeTakeFirst();
  return first && new Date(Number.parseInt(first.id.replace("-", "").slice(0, 12), 16));
}

/** Ids begin with the listing time. */
async function listListedBetween(tx: Tx, from: Date, to: Date): Promise<Listed[]> {
  return await selectListed(tx)
    .where("id", ">=", firstIdOf(from))
    .where("id", "<", firstIdOf(to))
    .limit(maxAddresses)
    .execute();
}

function selectListed(tx: Tx) {
  return tx
    .selectFrom("products")
    .select(["id", "product_name", "posted_at"])
    .where("sales_status", "=", "available")
    .where("deleted_at", "is", null)
    .orderBy("id");
}

/** An id that sorts before every UUIDv7 from the given millisecond. */
function firstIdOf(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Sellers whose page shows a laptop for sale or a review, newest first. */
async function listShownSellers(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom("members as seller")
    .leftJoinLateral(
      sql<{ laptop: string }>`(
        select id as laptop from products
        where seller_id = seller.id and sales_status = 'available' and deleted_at is null limit 1)`.as(
        "listed",
      ),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      sql<{ review: string }>`(
        select id as review from reviews
        where subject_id = seller.id and author_role = 'buyer' and published_at is not null and removed_at is null
        limit 1)`.as("reviewed"),
      (join) => join.onTrue(),
    )
    .select("seller.id")
    .where("seller.account_type", "=", "seller")
    .where("seller.is_admin", "=", false)
    .where("seller.deleted_at", "is", null)
    .where("seller.suspended_at", "is", null)
    .where(({ or, eb }) => or([eb("laptop", "is not", null), eb("review", "is not", null)]))
    .orderBy("seller.created_at", "desc")
    .orderBy("seller.id", "desc")
    .limit(maxAddresses)
    .execute();
  return rows.map(({ id }) => id);
}
