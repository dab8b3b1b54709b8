import type pg from "pg";
import { stripeCards } from "./adapters/cards/stripe.ts";
import { purgeRequests } from "./adapters/cdn/purge-requests.ts";
import { hostedServices } from "./adapters/hosted-services.ts";
import type { EmbeddedSettings } from "./adapters/identity/create-auth.ts";
import { embeddedIdentity } from "./adapters/identity/embedded.ts";
import { type FirebaseSettings, firebaseIdentity } from "./adapters/identity/firebase.ts";
import {
  type PasswordHashing,
  passwordHashing,
} from "./adapters/identity/password-hashing/password-hashing.ts";
import { openScryptThreads } from "./adapters/identity/password-hashing/scrypt-threads.ts";
import type { Identity } from "./adapters/identity/port.ts";
import { imageHost } from "./adapters/image-host/image-host.ts";
import { imageStore } from "./adapters/images/image-store.ts";
import { smtpMail } from "./adapters/mail/smtp.ts";
import { providerChecks } from "./adapters/provider-checks.ts";
import type { SandboxAddresses } from "./adapters/sandbox-process.ts";
import type { Clock } from "./clock.ts";
import type { ConfigWithSecret } from "./config.ts";
import { CurrentShop } from "./current-shop.ts";
import { openDatabase } from "./db/database.ts";
import { createRateLimiter } from "./db/rate-limiter.ts";
import { type Replicas, WatchedReplicas } from "./db/replicas.ts";
import type { Deps } from "./deps.ts";
import { createEmailQueue } from "./email/queue-email.ts";
import { identityHooks } from "./features/identity/identity-hooks.ts";
import { Metrics } from "./metrics/metrics.ts";
import { PublicCache } from "./public-cache/public-cache.ts";
import { purgeCdn } from "./public-cache/purge-cdn.ts";

type Options = {
  config: ConfigWithSecret;
  databaseUrl: string;
  sandbox: SandboxAddresses | undefined;
  clock: Clock;
  warn: (fields: object, message: string) => void;
  /** Only for tests. */
  replicas?: Replicas | undefined;
  /** Only for tests. */
  firebase?: FirebaseSettings["addresses"];
};

type OpenDeps = {
  deps: Deps;
  pool: pg.Pool;
  passwords: PasswordHashing;
  close(): Promise<void>;
};

export function createDeps(options: Options): OpenDeps {
  const { config, databaseUrl, sandbox, clock, warn } = options;
  const { db, pool } = openDatabase(databaseUrl, {
    statementTimeoutMs: config.databaseTimeoutMs,
    pooled: config.databaseDirectUrl !== undefined,
  });
  const scrypt = openScryptThreads();
  const passwords = passwordHashing(scrypt, config.scryptCost);
  const services = hostedServices(config, sandbox);
  const rateLimiter = createRateLimiter(pool, config);
  const { signInProviders: providers } = services;
  const { providerTimeouts: timeouts } = config;
  const publicCache = new PublicCache({ cdnSeconds: config.cdn?.seconds });
  const replicas = new WatchedReplicas({
    urls: config.databaseReplicaUrls,
    statementTimeoutMs: config.databaseTimeoutMs,
    changePosition: () => publicCache.changePosition,
    db,
    warn,
  });
  const shop = new CurrentShop(config);
  const metrics = new Metrics({ db, pool, clock, config, publicCache, replicas });
  const deps: Deps = {
    config,
    db,
    replicas: options.replicas ?? replicas,
    clock,
    shop,
    cards: stripeCards({ ...services.stripe, timeoutMs: timeouts.cards }),
    identity: chooseIdentity(options, { db, shop, rateLimiter, passwords, providers }),
    images: imageStore(config),
    imageHost:
      config.imageHost && imageHost({ ...config.imageHost, timeoutMs: timeouts.imageHost }),
    mail: smtpMail({ ...services.smtp, timeouts: timeouts.mail }),
    checkProviders: providerChecks(config, clock),
    emailQueue: createEmailQueue({ clock, shop, rateLimit: config.rateLimit, warn }),
    rateLimiter,
    publicCache,
    metrics,
  };
  const stopPurging =
    config.cdn?.purge && purgeCdn(publicCache, purgeRequests(config.cdn.purge), { warn });
  return {
    deps,
    pool,
    passwords,
    async close() {
      stopPurging?.();
      metrics.close();
      await scrypt.close();
      await deps.mail.close();
      await replicas.close();
      await pool.end();
    },
  };
}

type With = Pick<EmbeddedSettings, "rateLimiter" | "passwords" | "providers"> &
  Pick<Deps, "db" | "shop">;

function chooseIdentity(
  { config, clock, warn, firebase: addresses }: Options,
  { db, shop, rateLimiter, ...embedded }: With,
): Identity {
  const { firebase: project, publicUrl, providerTimeouts } = config;
  const hooks = identityHooks({ db, rateLimiter, clock });
  const shared = { publicUrl, clock, hooks, warn, timeoutMs: providerTimeouts.signIn };
  if (project) return firebaseIdentity(db, { ...shared, project, addresses });
  const shopName = () => shop.get().name;
  return embeddedIdentity(db, { ...config, ...shared, ...embedded, rateLimiter, shopName });
}
