import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { SandboxConfig } from "../config.ts";
import { invalidRequest, noSuch, StripeRefusal } from "./errors.ts";
import { paramsOf } from "./form.ts";
import type { Store } from "./store.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the caller is the shop's server or a browser that holds one intent's client secret. */
    stripeCaller: "server" | "browser";
  }
  interface FastifyContextConfig {
    /** A browser may call this, with the publishable key and the intent's client secret. */
    forBrowsers?: true;
  }
}

const idParams = z.object({ id: z.string() });

/** Asks every call below for a key, and those by publishable key for the client secret as well. */
export function guardByKey(app: FastifyInstance, keys: SandboxConfig["stripe"], store: Store) {
  app.decorateRequest("stripeCaller", "browser");
  app.addHook("preHandler", async (request) => {
    const key = keyOf(request);
    if (key === keys.secretKey) {
      request.stripeCaller = "server";
    } else if (key === keys.publishableKey) {
      checkClientSecret(request, store);
    } else {
      throw unauthorized(key);
    }
  });
}

/** `Authorization: Bearer <key>`, or Basic with the key as the user name. */
function keyOf(request: FastifyRequest): string {
  const [scheme = "", credentials = ""] = (request.headers.authorization ?? "").split(" ");
  if (scheme.toLowerCase() !== "basic") return credentials;
  return Buffer.from(credentials, "base64").toString().split(":")[0] ?? "";
}

function checkClientSecret(request: FastifyRequest, store: Store) {
  if (!request.routeOptions.config.forBrowsers) {
    throw new StripeRefusal(401, {
      type: "invalid_request_error",
      code: "secret_key_required",
      message:
        "This API call cannot be made with a publishable API key. Please use a secret API key.",
    });
  }
  const { client_secret } = paramsOf(request);
  if (!client_secret) {
    const message = "Missing required param: client_secret.";
    throw invalidRequest(message, { code: "parameter_missing", param: "client_secret" });
  }
  const { id } = idParams.parse(request.params);
  const intent = store.find("payment_intent", id);
  if (intent?.client_secret !== client_secret) throw noSuch("payment_intent", id);
}

function unauthorized(key: string): StripeRefusal {
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}****`
    : "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
  return new StripeRefusal(401, { type: "invalid_request_error", message });
}
