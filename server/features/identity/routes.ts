import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import { leaveOutControls } from "#contract/text.ts";
import { clientAddressHeader } from "../../adapters/identity/port.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { webHeaders } from "../../http/authorization.ts";
import { concurrencyLimit } from "../../http/concurrency-limit.ts";
import { countAsking, countEntry } from "./auth-throttling.ts";
import { knownDevices } from "./known-devices.ts";
import { ownLocation, requireOwnCallbacks } from "./redirects.ts";

const prefix = "/api/auth";

/** How many sign-ins of one address are worked on at a time: the two that are hashed and a full queue. */
const maxConcurrent = 10;
const tooMany = {
  message:
    "Too many people are signing in from your network at the moment. Please try again in a few seconds.",
  retryAfter: 5,
};

/** Hands the embedded identity service its own routes, below `/api/auth`; it speaks the web platform's Request. */
export function identityRoutes(
  app: FastifyInstance,
  { db, identity, config, rateLimiter }: Deps,
): void {
  const { answer } = identity;
  if (!answer) return;
  const devices = knownDevices(db, config);
  const route: Omit<RouteOptions, "method"> = {
    url: `${prefix}/*`,
    schema: { hide: true },
    handler: async (request, reply) => {
      const asking = toAsking(request);
      await countAsking(rateLimiter, asking);
      const passedOn = toWebRequest(request, config.publicUrl);
      requireOwnCallbacks(asking.body);
      const succeeded = await countEntry({ db, rateLimiter, devices }, asking);
      const response = await answer(passedOn);
      if (response.status === 400) await refuseInvalid(response.clone());
      if (response.status >= 500) throw new Error(`The identity service: ${response.status}`);
      request.log.info({ asked: asking.route, status: response.status }, "identity");
      reply.code(response.status).header("cache-control", "no-store");
      for (const [name, value] of response.headers) {
        if (name !== "location") reply.header(name, value);
      }
      const location = response.headers.get("location");
      const isRedirect = response.status >= 300 && response.status < 400;
      if (isRedirect && location !== null) reply.header("location", ownLocation(location, config));
      if (succeeded && response.ok) reply.header("set-cookie", await succeeded());
      return reply.send(withoutToken(await response.text()));
    },
  };
  app.route({ method: "GET", ...route });
  app.route({ method: "POST", ...route, ...concurrencyLimit(maxConcurrent, tooMany) });
}

/** The service answers a body it can't use in its validator's words; ours name the fields. */
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

/** A session's token travels in its cookie alone, out of every script's reach. */
function withoutToken(body: string): string {
  if (!body.startsWith("{")) return body;
  return JSON.stringify(JSON.parse(body), (name, value) => (name === "token" ? undefined : value));
}

function toAsking({ method, url, ip, headers, body }: FastifyRequest) {
  const [path = ""] = url.slice(prefix.length).split("?");
  return { route: `${method} ${path}`, address: ip, cookies: headers.cookie, body };
}

/** The body is passed on as we have read it, so that nobody reads another one out of it. */
function toWebRequest(request: FastifyRequest, publicUrl: string): Request {
  const headers = webHeaders(request);
  headers.delete("content-length");
  // The one address there is, whatever a client forwards (decisions 0006, 0014).
  headers.set(clientAddressHeader, request.ip);
  const body = request.method === "GET" ? null : JSON.stringify(request.body ?? {}, withoutNul);
  if (body !== null) headers.set("content-type", "application/json");
  return new Request(new URL(request.url, publicUrl), { method: request.method, headers, body });
}

function withoutNul(_: string, value: unknown): unknown {
  if (typeof value !== "string" || !value.includes("\0")) return value;
  throw new AppError("INVALID_INPUT", leaveOutControls);
}
