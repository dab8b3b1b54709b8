import type { FastifyInstance, FastifyRequest } from "fastify";
import { safeDestination } from "#contract/page-paths.ts";
import { leaveOutControls } from "#contract/text.ts";
import { signInLimit } from "../../adapters/identity/port.ts";
import type { Deps } from "../../deps.ts";
import { AppError, Overloaded } from "../../errors.ts";
import { identityHeaders } from "../../http/authorization.ts";
import { concurrencyLimit } from "../../http/rate-limit.ts";
import { uncacheable } from "../../http/security-headers.ts";
import { hashesPassword, knownDevices, limitGuessing, limitRoute } from "./auth-throttling.ts";

const prefix = "/api/auth";

export function identityRoutes(
  app: FastifyInstance,
  { db, identity, config, rateLimiter }: Deps,
): void {
  const { accounts, resetLinks } = identity;
  const passwordVersion = (email: string) => accounts.passwordVersion(db, email);
  const devices = knownDevices({ ...config, passwordVersion });
  const limitConcurrency = concurrencyLimit(signInLimit);
  app.route({
    method: ["GET", "POST"],
    url: `${prefix}/*`,
    schema: { hide: true },
    onRequest: async (request, reply) => {
      const { route } = toAuthRequest(request);
      if (config.rateLimit && hashesPassword(route)) limitConcurrency(request, reply);
    },
    handler: async (request, reply) => {
      const authRequest = toAuthRequest(request);
      await limitRoute(rateLimiter, authRequest);
      const forwarded = toWebRequest(request, config.publicUrl);
      requireOwnCallbacks(authRequest.body);
      const guess = await limitGuessing({ db, rateLimiter, devices, resetLinks }, authRequest);
      const response = await identity.handleRequest(forwarded).catch(async (error: unknown) => {
        if (error instanceof Overloaded) await guess?.giveBack();
        throw error;
      });
      if (response.status === 400) await refuseInvalid(response.clone());
      if (response.status >= 500) throw new Error(`The identity service: ${response.status}`);
      request.log.info({ route: authRequest.route, status: response.status }, "identity");
      reply.code(response.status);
      for (const [name, value] of response.headers) {
        if (name !== "location") reply.header(name, value);
      }
      // Overrides the service's own header.
      reply.header("cache-control", uncacheable);
      const location = response.headers.get("location");
      const isRedirect = response.status >= 300 && response.status < 400;
      if (isRedirect && location !== null) reply.header("location", ownLocation(location, config));
      if (guess && response.ok) reply.header("set-cookie", await guess.succeed());
      return reply.send(withoutToken(await response.text()));
    },
  });
}

async function refuseInvalid(response: Response): Promise<void> {
  const { code, message = "" } = (await response.json().catch(() => ({}))) as {
    code?: string;
    message?: string;
  };
  if (code !== "VALIDATION_ERROR") return;
  const names = [...message.matchAll(/\[body\.([\w.]+)\]/g)].map(([, name = ""]) => name);
  const wrong = names.length === 0 ? "What you sent" : names.join(" and ");
  throw new AppError("INVALID_INPUT", `${wrong} is missing or not in the right form.`);
}

/** Removes the session token from the body, so that only the HttpOnly cookie contains it. */
function withoutToken(body: string): string {
  if (!body.startsWith("{")) return body;
  return JSON.stringify(JSON.parse(body), (name, value) => (name === "token" ? undefined : value));
}

function toAuthRequest({ method, url, ip, headers, body }: FastifyRequest) {
  const [path = ""] = url.slice(prefix.length).split("?");
  return { route: `${method} ${path}`, address: ip, cookies: headers.cookie, body };
}

/** Serializes the parsed body, so that Fastify and the identity service see the same values. */
function toWebRequest(request: FastifyRequest, publicUrl: string): Request {
  const headers = identityHeaders(request);
  headers.delete("content-length");
  const body = request.method === "GET" ? null : JSON.stringify(request.body ?? {}, withoutNul);
  if (body !== null) headers.set("content-type", "application/json");
  return new Request(new URL(request.url, publicUrl), { method: request.method, headers, body });
}

function withoutNul(_: string, value: unknown): unknown {
  if (typeof value !== "string" || !value.includes("\0")) return value;
  throw new AppError("INVALID_INPUT", leaveOutControls);
}

const callbackFields = ["callbackURL", "errorCallbackURL", "newUserCallbackURL", "redirectTo"];

/** Prevents open redirects: throws `FORBIDDEN` unless every callback is a page on this site. */
function requireOwnCallbacks(body: unknown): void {
  const fields = Object(body) as Record<string, unknown>;
  for (const field of callbackFields) {
    const url = fields[field];
    if (url === undefined || url === null) continue;
    if (typeof url !== "string" || safeDestination(url) !== url) throw foreignRedirect();
  }
}

function ownLocation(
  location: string,
  { publicUrl, origins }: { publicUrl: string; origins: string[] },
): string {
  if (!URL.canParse(location, publicUrl)) throw foreignRedirect();
  if (!origins.includes(new URL(location, publicUrl).origin)) throw foreignRedirect();
  return location;
}

function foreignRedirect(): AppError {
  return new AppError("FORBIDDEN", "Signing in can only return you to a page of this site.");
}
