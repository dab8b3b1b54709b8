import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import type { z } from "zod";
import { setCurrency } from "#contract/price.ts";
import type { Shop } from "#contract/shop.ts";
import { defaultSettings, type ShopSettings, shopSettings } from "#contract/shop-settings.ts";
import { Overloaded } from "./errors.ts";

/** Long, because the operator must install another version first. */
const retrySeconds = 60;

const previewed = new AsyncLocalStorage<ShopSettings>();

export function withDraft<T>(draft: ShopSettings, work: () => T): T {
  return previewed.run(draft, work);
}

/** Whether the caller is within `withDraft`, `asIfOpen` or `uncached`, where nothing is cached. */
export function isPreview(): boolean {
  return previewed.getStore() !== undefined;
}

/** The published settings, which `load` reads (decisions/shop-settings). */
export class CurrentShop {
  #settings = defaultSettings;
  #problem: unknown;
  #page = pageShop(defaultSettings);
  #version = 0;
  readonly #isDemo: boolean;

  constructor({ demo }: { demo: boolean } = { demo: false }) {
    this.#isDemo = demo;
  }

  get(): ShopSettings {
    return previewed.getStore() ?? this.#published;
  }

  /** Throws `UNAVAILABLE` while the published settings can't be read. */
  get #published(): ShopSettings {
    if (this.#problem) throw this.#problem;
    return this.#settings;
  }

  /** Runs `work` for someone who may enter a closed shop. */
  asIfOpen<T>(work: () => T): T {
    return previewed.run({ ...this.#published, closed: false }, work);
  }

  uncached<T>(work: () => T): T {
    return previewed.run(this.#published, work);
  }

  get page(): Shop {
    const draft = previewed.getStore();
    if (!draft || draft === this.#published) return this.#page;
    const { currency } = this.#published;
    return { ...pageShop({ ...draft, currency }), isAdminView: true };
  }

  /** Lowercase, as the card provider and the ledger write it: `usd`. */
  get currency(): string {
    return this.#published.currency.toLowerCase();
  }

  /** 0 if nothing has been published yet. */
  get version(): number {
    return this.#version;
  }

  async load(client: Pick<pg.Client, "query">): Promise<void> {
    const { rows } = await client.query<{ settings: unknown; number: number }>(
      "select settings, number from shop_settings where number is not null order by number desc limit 1",
    );
    try {
      this.#settings = storedSettings(rows[0]?.settings);
      this.#version = rows[0]?.number ?? 0;
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error;
      throw error;
    }
    const isNew = rows.length === 0 && !this.#isDemo;
    const start = "/dashboard/shop/first-steps";
    this.#page = { ...pageShop(this.#published), ...(isNew && { start }) };
    setCurrency(this.#published.currency);
  }
}

/**
 * Uses the defaults for parts that this version rejects. Another version may have stored them.
 * Emails and pages keep valid entries, and a rejected `closed` closes the shop. Throws
 * `UNAVAILABLE` for an unknown currency, because the shop must not sell in any other.
 */
export function storedSettings(stored: unknown): ShopSettings {
  const parts: Record<string, unknown> = { ...(stored as object | undefined) };
  for (const [name, part] of Object.entries(shopSettings.shape)) {
    if (part.safeParse(parts[name]).success) continue;
    if (name === "currency")
      throw new Overloaded(
        `This version of the shop can't sell in its currency, ${parts[name]}. Install a version that can.`,
        retrySeconds,
      );
    parts[name] = name === "closed" ? true : readableEntries(part, parts[name]);
  }
  return shopSettings.parse(parts);
}

/** The valid entries of emails or pages. Undefined for any other part, which gets its default. */
function readableEntries(part: z.ZodType, stored: unknown): object | undefined {
  const entries = Object.entries(Object(stored));
  const kept = entries.filter(([name, entry]) => part.safeParse({ [name]: entry }).success);
  const readable = Object.fromEntries(kept);
  return part.safeParse(readable).success ? readable : undefined;
}

/** Gives each file a URL that changes with the file's content. */
function pageShop(settings: ShopSettings): Shop {
  const { name, tagline, announcement, operator, social, logo, icon, colors } = settings;
  const { conditions, currency, selling } = settings;
  const isBranded =
    name !== defaultSettings.name || tagline !== defaultSettings.tagline || colors !== null;
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
