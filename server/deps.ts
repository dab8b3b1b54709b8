import type { Cards } from "./adapters/cards/port.ts";
import type { Identity } from "./adapters/identity/port.ts";
import type { ImageHost } from "./adapters/image-host/port.ts";
import type { ImageStore } from "./adapters/images/port.ts";
import type { Mail } from "./adapters/mail/port.ts";
import type { Clock } from "./clock.ts";
import type { ConfigWithSecret } from "./config.ts";
import type { CurrentShop } from "./current-shop.ts";
import type { Tx } from "./db/database.ts";
import type { RateLimiter } from "./db/rate-limiter.ts";
import type { Replicas } from "./db/replicas.ts";
import type { EmailQueue } from "./email/email.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { PublicCache } from "./public-cache/public-cache.ts";

export type Deps = {
  config: ConfigWithSecret;
  db: Tx;
  replicas: Replicas;
  clock: Clock;
  shop: CurrentShop;
  cards: Cards;
  identity: Identity;
  images: ImageStore;
  /** The host of laptop photos. If undefined, they are uploaded to this server. */
  imageHost: ImageHost | undefined;
  mail: Mail;
  /** Each provider's problem; undefined if the provider works or the sandbox replaces it. */
  checkProviders: () => Promise<Record<"cards" | "payouts" | "mail", string | undefined>>;
  emailQueue: EmailQueue;
  rateLimiter: RateLimiter;
  publicCache: PublicCache;
  metrics: Metrics;
};
