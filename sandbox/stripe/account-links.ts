import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { findAccount } from "./accounts.ts";
import { nowMs, timestamp } from "./clock.ts";
import { type ApiResponse, badRequest } from "./errors.ts";
import type { Store } from "./store.ts";
import type { createLinkParams } from "./v2-params.ts";

const linkMs = 5 * 60 * 1000;

/** `POST /v2/core/account_links`. The link opens a page at `origin`, the sandbox's own. */
export function createLink(
  store: Store,
  { account: id, use_case }: z.output<typeof createLinkParams>,
  origin: string,
): ApiResponse {
  const account = findAccount(store, id);
  if (account.closed) throw badRequest("account_closed", "This account was closed.");
  const { return_url: returnUrl, refresh_url: refreshUrl } = use_case.account_onboarding;
  const token = randomBytes(24).toString("base64url");
  const expiresAt = nowMs() + linkMs;
  store.addLink({ token, account: id, expiresAt, returnUrl, refreshUrl });
  const body = {
    object: "v2.core.account_link",
    account: id,
    created: timestamp(),
    expires_at: new Date(expiresAt).toISOString(),
    livemode: false,
    url: `${origin}/stripe/onboarding/${token}`,
    use_case,
  };
  return { status: 200, body };
}
