import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import multipart from "@fastify/multipart";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";

type HostedPhoto = { type: string; bytes: Buffer };

type Fault = (request: IncomingMessage, response: ServerResponse) => void;

export type ImageHostServer = {
  url: string;
  photos: Map<string, HostedPhoto>;
  /** Method and path of every request received. */
  requests: string[];
  /** If set, handles every request. */
  fault: Fault | undefined;
  close(): Promise<void>;
};

/** Starts a stand-in for imgbb (https://api.imgbb.com) on loopback. Photos are in memory. */
export async function startImageHost({
  key,
  maxBytes = 32 * 1024 * 1024,
}: {
  key: string;
  maxBytes?: number;
}): Promise<ImageHostServer> {
  const app = Fastify({ forceCloseConnections: true });
  await app.register(multipart, { limits: { fileSize: maxBytes }, throwFileSizeLimit: false });
  const running: ImageHostServer = {
    url: "",
    photos: new Map(),
    requests: [],
    fault: undefined,
    close: () => app.close(),
  };
  app.addHook("onRequest", async ({ raw, method, url }, reply) => {
    running.requests.push(`${method} ${url.split("?")[0]}`);
    reply.headers(headers);
    if (!running.fault) return;
    reply.hijack();
    running.fault(raw, reply.raw);
  });
  app.options("/*", async (_, reply) => reply.send());
  app.post("/1/upload", async (request, reply) => await upload({ request, reply, key, running }));
  app.get("/:id/:name", async (request, reply) => {
    const photo = running.photos.get(request.url);
    if (photo) return reply.type(photo.type).send(photo.bytes);
    return reply.code(404).type("text/html").send("<h1>404 Not Found</h1>");
  });
  running.url = await app.listen({ host: "127.0.0.1", port: 0 });
  return running;
}

/** The CORS headers that imgbb sends. They do not allow an Authorization header. */
const headers = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "Cache-Control, X-Requested-With, Content-Type",
  "access-control-allow-methods": "POST, GET, OPTIONS",
};

type Uploading = {
  request: FastifyRequest;
  reply: FastifyReply;
  key: string;
  running: ImageHostServer;
};

async function upload({ request, reply, key, running }: Uploading) {
  const refuse = (message: string, code: number) =>
    reply.code(400).send({
      status_code: 400,
      error: { message, code, context: "Exception" },
      status_txt: "Bad Request",
    });
  const file = request.isMultipart() ? await request.file() : undefined;
  const bytes = file && (await file.toBuffer());
  if ((request.query as { key?: string }).key !== key) return refuse("Invalid API v1 key.", 100);
  if (!file || !bytes || file.fieldname !== "image" || bytes.length === 0)
    return refuse("Empty upload source.", 130);
  if (file.file.truncated) return refuse("File too big.", 313);
  const type = typeOf(bytes);
  if (type === undefined) return refuse("Can't get target upload source info", 310);
  const path = `/${randomBytes(5).toString("hex")}/photo.${type.split("/")[1]}`;
  running.photos.set(path, { type, bytes });
  return { data: { url: running.url + path }, success: true, status: 200 };
}

function typeOf(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 16);
  const types: [RegExp, string][] = [
    [/^\xff\xd8\xff/, "image/jpeg"],
    [/^\x89PNG/, "image/png"],
    [/^GIF8/, "image/gif"],
    [/^RIFF.{4}WEBP/s, "image/webp"],
  ];
  return types.find(([magic]) => magic.test(start))?.[1];
}
