import type { EmbeddedSettings } from "../adapters/identity/create-auth.ts";
import { embeddedIdentity } from "../adapters/identity/embedded.ts";
import type { Identity } from "../adapters/identity/port.ts";
import type { ConfigWithSecret } from "../config.ts";
import { identityHooks } from "../features/identity/identity-hooks.ts";
import type { Shop } from "./shop.ts";

type Changes = Partial<Pick<EmbeddedSettings, "rateLimiter" | "passwords" | "providers">> & {
  config?: ConfigWithSecret;
};

/** Creates an identity service on the shop's database. By default, it has no sign-in providers. */
export function createIdentity({ deps, passwords }: Shop, { config, ...changes }: Changes) {
  const { db, rateLimiter, clock } = deps;
  const identity: Identity = embeddedIdentity(db, {
    ...(config ?? deps.config),
    rateLimiter,
    passwords,
    hooks: identityHooks(deps),
    clock,
    providers: [],
    warn: () => {},
    shopName: () => deps.shop.get().name,
    ...changes,
  });
  return identity;
}
