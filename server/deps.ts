import type { Kysely } from "kysely";
import type { Clock } from "./clock.ts";
import type { ConfigWithSecret } from "./config.ts";
import type { DB } from "./db/schema.ts";
import type { Outbox } from "./features/mail/outbox.ts";
import type { Limits } from "./limits.ts";
import type { Cards } from "./ports/cards/port.ts";
import type { Identity } from "./ports/identity/port.ts";
import type { ImageStore } from "./ports/images/port.ts";
import type { Mail } from "./ports/mail/port.ts";
import type { PublicCache } from "./public-cache.ts";

/** What the verbs work with; `main.ts` and the tests put it together. */
export type Deps = {
  config: ConfigWithSecret;
  db: Kysely<DB>;
  clock: Clock;
  cards: Cards;
  identity: Identity;
  images: ImageStore;
  mail: Mail;
  /** How a verb mails somebody: it leaves the mail in its transaction, where its address may have it. */
  post: Outbox;
  limits: Limits;
  publicCache: PublicCache;
};
