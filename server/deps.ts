import type { Kysely } from "kysely";
import type { Cards } from "./adapters/cards/port.ts";
import type { Identity } from "./adapters/identity/port.ts";
import type { ImageStore } from "./adapters/images/port.ts";
import type { Mail } from "./adapters/mail/port.ts";
import type { Clock } from "./clock.ts";
import type { ConfigWithSecret } from "./config.ts";
import type { RateLimiter } from "./db/rate-limits.ts";
import type { DB } from "./db/schema.ts";
import type { QueueEmail } from "./features/email/send-email.ts";
import type { PublicCache } from "./public-cache/public-cache.ts";

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
  queueEmail: QueueEmail;
  rateLimiter: RateLimiter;
  publicCache: PublicCache;
};
