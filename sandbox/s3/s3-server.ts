import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { S3Error } from "./s3-error.ts";
import { type Credentials, verifyRequest } from "./signature-v4.ts";

type S3Object = { body: Buffer; headers: Record<string, string> };

type Options = {
  bucket: string;
  region: string;
  credentials: Credentials;
  /** Keys that anyone may read, as with a bucket policy. None by default. */
  publicKeys?: RegExp;
};

export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

export type S3Server = {
  url: string;
  objects: Map<string, S3Object>;
  /** Method and path of every request received. */
  requests: string[];
  /** If set, handles every request. */
  fault: Fault | undefined;
  publicKeys: RegExp | undefined;
  /** Whether conditional writes return 501, as on a server without such writes. */
  refuseConditions: boolean;
  close(): Promise<void>;
};

type Answer = { status: number; headers?: Record<string, string>; body?: Buffer | string };

/**
 * Starts a stand-in for S3 on the loopback interface, with path-style URLs and objects in memory.
 * It verifies signatures and supports PutObject (also conditional), GetObject and DeleteObject.
 */
export async function startS3Server({ publicKeys, ...options }: Options): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const server = createServer(async (request, response) => {
    running.requests.push(`${request.method} ${request.url}`);
    if (running.fault) return running.fault(request, response);
    const refused = running.refuseConditions && request.headers["if-none-match"] !== undefined;
    const answer = await (refused
      ? Promise.reject(new S3Error("NotImplemented"))
      : handle(request, running, options)
    ).catch(toAnswer);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const running: S3Server = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests: [],
    fault: undefined,
    refuseConditions: false,
    publicKeys,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return running;
}

async function handle(
  request: IncomingMessage,
  { objects, publicKeys }: Pick<S3Server, "objects" | "publicKeys">,
  { bucket, region, credentials }: Pick<Options, "bucket" | "region" | "credentials">,
): Promise<Answer> {
  const { method = "", url = "", rawHeaders, headers } = request;
  const body = await buffer(request);
  const [, named, key] = /^\/([^/?]+)\/([^?]+)/.exec(url) ?? [];
  const isPublic =
    method === "GET" && headers.authorization === undefined && publicKeys?.test(key ?? "");
  const verification = { credentials, region, now: new Date() };
  if (!isPublic) verifyRequest({ method, url, headers: rawHeaders, body }, verification);
  if (named !== bucket) throw new S3Error("NoSuchBucket");
  const operation = operations[method];
  if (key === undefined || !operation) throw new S3Error("MethodNotAllowed");
  return operation({ objects, key: decodeURIComponent(key), body, headers });
}

type Operation = (on: {
  objects: Map<string, S3Object>;
  key: string;
  body: Buffer;
  headers: IncomingMessage["headers"];
}) => Answer;

const operations: Record<string, Operation> = {
  PUT({ objects, key, body, headers }) {
    if (headers["if-none-match"] === "*" && objects.has(key))
      throw new S3Error("PreconditionFailed");
    const kept = Object.entries(headers).filter(([name]) =>
      /^(content-type|cache-control|x-amz-meta-.*)$/.test(name),
    );
    objects.set(key, { body, headers: Object.fromEntries(kept) as Record<string, string> });
    return { status: 200, headers: { etag: `"${createHash("md5").update(body).digest("hex")}"` } };
  },
  GET({ objects, key }) {
    const object = objects.get(key);
    if (!object) throw new S3Error("NoSuchKey");
    const headers = { ...object.headers, "content-length": String(object.body.length) };
    return { status: 200, headers, body: object.body };
  },
  DELETE({ objects, key }) {
    objects.delete(key);
    return { status: 204 };
  },
};

function toAnswer(error: unknown): Answer {
  const known = error instanceof S3Error ? error : new S3Error("InternalError");
  return { status: known.status, headers: { "content-type": "application/xml" }, body: known.xml };
}
