import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { setCurrency } from "#contract/price.ts";
import type { Shop } from "#contract/shop.ts";
import { defaultSettings, type ShopSettings, storedSettings } from "#contract/shop-settings.ts";

const previewed = new AsyncLocalStorage<ShopSettings>();

/** Runs `work` with a draft in place of the published settings. */
export function withDraft<T>(draft: ShopSettings, work: () => T): T {
  return previewed.run(draft, work);
}

/** Whether the request has settings of its own, such as a draft. If so, don't cache its response. */
export function isPreview(): boolean {
  return previewed.getStore() !== undefined;
}

/**
 * The shop's settings in the memory of this node. `load` runs at the start, and whenever a version
 * is published, before pages are rendered again (decisions/shop-settings).
 */
export class CurrentShop {
  #published = defaultSettings;
  #page = pageShop(defaultSettings);
  readonly #isDemo: boolean;

  constructor({ demo }: { demo: boolean } = { demo: false }) {
    this.#isDemo = demo;
  }

  get(): ShopSettings {
    return previewed.getStore() ?? this.#published;
  }

  /** Runs `work` as if the shop were open, for those who may enter a closed shop. */
  asIfOpen<T>(work: () => T): T {
    return previewed.run({ ...this.#published, closed: false }, work);
  }

  /** Runs `work` without caching its response. */
  uncached<T>(work: () => T): T {
    return previewed.run(this.#published, work);
  }

  /** The settings as pages get them. */
  get page(): Shop {
    const draft = previewed.getStore();
    if (!draft || draft === this.#published) return this.#page;
    const { currency } = this.#published;
    return { ...pageShop({ ...draft, currency }), isDraft: true };
  }

  /** The published currency as the card provider and the ledger write it, such as `usd`. */
  get currency(): string {
    return this.#published.currency.toLowerCase();
  }

  async load(client: Pick<pg.Client, "query">): Promise<void> {
    const { rows } = await client.query<{ settings: unknown }>(
      "select settings from shop_settings where number is not null order by number desc limit 1",
    );
    this.#published = storedSettings(rows[0]?.settings);
    const isNew = rows.length === 0 && !this.#isDemo;
    const start = "/dashboard/shop/first-steps";
    this.#page = { ...pageShop(this.#published), ...(isNew && { start }) };
    setCurrency(this.#published.currency);
  }
}

/** The settings as pages get them. The URLs of the shop's own files change with their contents. */
function pageShop(settings: ShopSettings): Shop {
  const { name, tagline, announcement, operator, social, logo, icon, colors } = settings;
  const { conditions, currency, selling } = settings;
  const isBranded = name !== defaultSettings.name || colors !== null;
  return {
    name,
    tagline,
    ...(announcement && { announcement }),
    ...(isSet(operator) && { operator }),
    ...(isSet(social) && { social }),
    ...(!isDeepStrictEqual(conditions, defaultSettings.conditions) && { conditions }),
    ...(logo && { logo: addressOf("logo.png", logo) }),
    ...(icon && { icon: addressOf("icon.png", icon) }),
    ...(colors && { colors: addressOf("colors.css", JSON.stringify(colors)) }),
    ...(currency !== defaultSettings.currency && { currency }),
    ...(selling.sellers === "verified" && { verifiedSellersOnly: true }),
    ...(isBranded && {
      preview: addressOf("preview.jpg", JSON.stringify([name, tagline, colors])),
    }),
  };
}

function isSet(texts: Record<string, string>): boolean {
  return Object.values(texts).some((text) => text !== "");
}

function addressOf(file: string, content: string): string {
  const version = createHash("sha256").update(content).digest("base64url").slice(0, 16);
  return `/shop/${file}?v=${version}`;
}
