import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { networkOf } from "../db/rate-limiter.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set only on the calls in `paths`. */
    browserId: string | undefined;
  }
}

const paths = /^\/api\/(users|invites(\/(own|acceptance))?)$/;
const year = 365 * 86_400;

/** Gives browsers random ids, only to detect one person's second account (decisions/rewards). */
export function identifyBrowsers(app: FastifyInstance, { publicUrl }: Config): void {
  const isSecure = publicUrl.startsWith("https:");
  const name = isSecure ? "__Host-secondlap.browser" : "secondlap.browser";
  app.decorateRequest("browserId", undefined);
  app.addHook("onRequest", async (request, reply) => {
    const [path = ""] = request.url.split("?");
    if (!paths.test(path)) return;
    const given = request.headers.cookie?.split("; ").find((one) => one.startsWith(`${name}=`));
    const id = given?.slice(name.length + 1) ?? "";
    request.browserId = /^[\w-]{22}$/.test(id) ? id : randomBytes(16).toString("base64url");
    const flags = `Path=/; Max-Age=${year}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
    if (request.browserId !== id)
      reply.header("set-cookie", `${name}=${request.browserId}; ${flags}`);
  });
}

export function callerOf({ browserId, ip }: FastifyRequest) {
  return { browser: browserId, network: networkOf(ip) };
}
