import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { SandboxConfig } from "../config.ts";
import { requestParams } from "../form-encoding.ts";
import { invalidRequest, resourceMissing, StripeApiError } from "./errors.ts";
import { ownAccount, type Store } from "./store.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** A publishable key gives access only to the payment intent whose client secret is sent. */
    stripeKeyType: "secret" | "publishable";
    /** The seller's account that the call is for. Empty for the shop's own account. */
    stripeAccount: string;
  }
  interface FastifyContextConfig {
    allowPublishableKey?: true;
  }
}

const idParams = z.object({ id: z.string() });

/** Requires an API key. A publishable key also requires the intent's client secret. */
export function requireApiKey(app: FastifyInstance, keys: SandboxConfig["stripe"], store: Store) {
  app.decorateRequest("stripeKeyType", "publishable");
  app.decorateRequest("stripeAccount", ownAccount);
  app.addHook("preHandler", async (request) => {
    const { authorization = "" } = request.headers;
    const key = authorization.replace(/^Bearer /, "");
    if (key === keys.secretKey) {
      request.stripeKeyType = "secret";
      request.stripeAccount = readAccount(request, store);
    } else if (key === keys.publishableKey) {
      checkClientSecret(request, store);
    } else {
      throw unauthorized(key);
    }
  });
}

/** Returns the account of the `Stripe-Account` header. Throws if it is unknown or closed. */
function readAccount({ headers }: FastifyRequest, store: Store): string {
  const account = headers["stripe-account"];
  if (typeof account !== "string") return ownAccount;
  const found = store.find("v2.core.account", account);
  if (found && !found.closed) return account;
  throw new StripeApiError(403, {
    type: "invalid_request_error",
    code: "account_invalid",
    message: `The provided key does not have access to account '${account}' (or that account does not exist). Application access may have been revoked.`,
  });
}

function checkClientSecret(request: FastifyRequest, store: Store) {
  if (!request.routeOptions.config.allowPublishableKey) {
    throw new StripeApiError(401, {
      type: "invalid_request_error",
      code: "secret_key_required",
      message:
        "This API call cannot be made with a publishable API key. Please use a secret API key.",
    });
  }
  const { client_secret } = requestParams(request);
  if (!client_secret) {
    const message = "Missing required param: client_secret.";
    throw invalidRequest(message, { code: "parameter_missing", param: "client_secret" });
  }
  const { id } = idParams.parse(request.params);
  const intent = store.find("payment_intent", id);
  if (intent?.client_secret !== client_secret) throw resourceMissing("payment_intent", id);
}

function unauthorized(key: string): StripeApiError {
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}****`
    : "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
  return new StripeApiError(401, { type: "invalid_request_error", message });
}
