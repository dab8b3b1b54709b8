import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** In `headers`, names and values alternate, as in `rawHeaders`. */
export type ReceivedRequest = { method: string; url: string; headers: readonly string[] };

export type Credentials = { accessKeyId: string; secretAccessKey: string };

/** From an AWS Signature Version 4 Authorization header. */
export type Authorization = {
  accessKeyId: string;
  /** Day, region, service and `aws4_request`. */
  scope: readonly [string, string, string, string];
  signedHeaders: readonly string[];
  signature: string;
};

const pattern =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/([^/,]+)\/(aws4_request), *SignedHeaders=([a-z0-9;-]+), *Signature=([0-9a-f]{64})$/;

export function parseAuthorization(header: string): Authorization | undefined {
  const [, accessKeyId, day, region, service, end, names, signature] = pattern.exec(header) ?? [];
  if (!accessKeyId || !day || !region || !service || !end || !names || !signature) return undefined;
  const signedHeaders = names.split(";");
  return { accessKeyId, scope: [day, region, service, end], signedHeaders, signature };
}

/** Step 1. `payloadHash` is the value of x-amz-content-sha256. */
export function canonicalRequest(
  { method, url, headers }: ReceivedRequest,
  { signedHeaders, payloadHash }: { signedHeaders: readonly string[]; payloadHash: string },
): string {
  const [path = "", query = ""] = url.split(/\?(.*)/s);
  const lines = signedHeaders.map((name) => `${name}:${valuesOf(headers, name).join(",")}\n`);
  return [
    method,
    path.split("/").map(encodeAgain).join("/"),
    canonicalQuery(query),
    lines.join(""),
    signedHeaders.join(";"),
    payloadHash,
  ].join("\n");
}

/** Steps 2 and 3. `at` is the value of x-amz-date. */
export function sign(
  canonical: string,
  key: { scope: Authorization["scope"]; secretAccessKey: string; at: string },
): string {
  const text = ["AWS4-HMAC-SHA256", key.at, key.scope.join("/"), sha256(canonical)].join("\n");
  const first = Buffer.from(`AWS4${key.secretAccessKey}`);
  return hmac(key.scope.reduce<Buffer>(hmac, first), text).toString("hex");
}

export function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Runs of spaces are collapsed. */
export function valuesOf(headers: readonly string[], name: string): string[] {
  return headers.flatMap((value, index) =>
    index % 2 === 1 && headers[index - 1]?.toLowerCase() === name
      ? value.trim().replaceAll(/\s+/g, " ")
      : [],
  );
}

export function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function canonicalQuery(query: string): string {
  const pairs = query.split("&").filter(Boolean);
  return pairs
    .map((pair) => pair.split(/=(.*)/s))
    .map(([name = "", value = ""]) => `${encodeAgain(name)}=${encodeAgain(value)}`)
    .sort()
    .join("&");
}

/** Percent-encodes all but unreserved characters (RFC 3986), however the client encoded them. */
function encodeAgain(text: string): string {
  return encodeURIComponent(decodeURIComponent(text)).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
