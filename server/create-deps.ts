import type pg from "pg";
import { stripeCards } from "./adapters/cards/stripe.ts";
import { hostedServices } from "./adapters/hosted-services.ts";
import { embeddedIdentity } from "./adapters/identity/embedded.ts";
import {
  type PasswordHashing,
  passwordHashing,
} from "./adapters/identity/password-hashing/password-hashing.ts";
import { openScryptThreads } from "./adapters/identity/password-hashing/scrypt-threads.ts";
import { imageHost } from "./adapters/image-host/image-host.ts";
import { imageStore } from "./adapters/images/image-store.ts";
import { smtpMail } from "./adapters/mail/smtp.ts";
import type { Sandbox } from "./adapters/sandbox-process.ts";
import type { Clock } from "./clock.ts";
import type { ConfigWithSecret } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { createRateLimiter } from "./db/rate-limiter.ts";
import type { Deps } from "./deps.ts";
import { createEmailQueue } from "./features/email/queue-email.ts";
import { identityHooks } from "./features/identity/identity-hooks.ts";
import { PublicCache } from "./public-cache/public-cache.ts";

type Options = {
  config: ConfigWithSecret;
  databaseUrl: string;
  /** Stands in for the hosted services that have no keys. */
  sandbox: Pick<Sandbox, "url" | "smtpUrl"> | undefined;
  clock: Clock;
  warn: (fields: object, message: string) => void;
};

/** What the program works with; `close` ends the connections and threads. */
export type OpenDeps = {
  deps: Deps;
  pool: pg.Pool;
  passwords: PasswordHashing;
  close(): Promise<void>;
};

/** Chooses the adapters and builds the dependencies, for `main.ts` and for the tests. */
export function createDeps({ config, databaseUrl, sandbox, clock, warn }: Options): OpenDeps {
  const { db, pool } = openDatabase(databaseUrl, {
    statementTimeoutMs: config.databaseTimeoutMs,
  });
  const scrypt = openScryptThreads();
  const passwords = passwordHashing(scrypt, config.scryptCost);
  const services = hostedServices(config, sandbox);
  const rateLimiter = createRateLimiter(pool, config);
  const hooks = identityHooks({ db, config, rateLimiter, clock });
  const { signInProviders: providers } = services;
  const { providerTimeouts: timeouts } = config;
  const deps: Deps = {
    config,
    db,
    clock,
    cards: stripeCards({ ...services.stripe, timeoutMs: timeouts.cards }),
    identity: embeddedIdentity(db, {
      ...config,
      ...{ rateLimiter, passwords, hooks, clock, providers, warn },
      providerTimeoutMs: timeouts.signIn,
    }),
    images: imageStore(config),
    imageHost:
      config.imageHost && imageHost({ ...config.imageHost, timeoutMs: timeouts.imageHost }),
    mail: smtpMail({ ...services.smtp, timeouts: timeouts.mail }),
    emailQueue: createEmailQueue({ clock, rateLimit: config.rateLimit, warn }),
    rateLimiter,
    publicCache: new PublicCache(),
  };
  return {
    deps,
    pool,
    passwords,
    async close() {
      await scrypt.close();
      await deps.mail.close();
      await pool.end();
    },
  };
}
