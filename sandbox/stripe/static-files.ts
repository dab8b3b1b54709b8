import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

const anyLoopback = ["localhost", "127.0.0.1"]
  .flatMap((host) => [`http://${host}:*`, `https://${host}:*`])
  .join(" ");

const framePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  `frame-ancestors ${anyLoopback}`,
].join("; ");

const browserFiles = join(import.meta.dirname, "browser");

export async function staticFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(browserFiles, "v3"),
    prefix: "/stripe/v3/",
    index: "index.js",
    // Module scripts need CORS if a page from another origin loads them.
    setHeaders: (reply) => reply.header("access-control-allow-origin", "*"),
  });
  await app.register(fastifyStatic, {
    root: join(browserFiles, "frames"),
    prefix: "/stripe/frames/",
    decorateReply: false,
    setHeaders: (reply) => {
      reply.header("content-security-policy", framePolicy);
      reply.header("x-content-type-options", "nosniff");
      reply.header("referrer-policy", "no-referrer");
    },
  });
}
