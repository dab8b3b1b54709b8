import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { S3Error } from "./s3-error.ts";

/** In `headers`, names and values alternate, as in `rawHeaders`. */
type ReceivedRequest = { method: string; url: string; headers: readonly string[] };

export type Credentials = { accessKeyId: string; secretAccessKey: string };

/** From an AWS Signature Version 4 Authorization header. */
type Authorization = {
  accessKeyId: string;
  /** Day, region, service and `aws4_request`. */
  scope: readonly [string, string, string, string];
  signedHeaders: readonly string[];
  signature: string;
};

/** `now` is compared with the time in the request. */
type Verification = { credentials: Credentials; region: string; now: Date };

const maxSkewMs = 15 * 60_000;

/** Throws an `S3Error` unless the signature is valid. The body must be signed as a whole. */
export function verifyRequest(
  request: ReceivedRequest & { body: Buffer },
  { credentials, region, now }: Verification,
): void {
  const header = (name: string) => valuesOf(request.headers, name)[0] ?? "";
  if (header("authorization") === "") throw new S3Error("AccessDenied");
  const authorization = parseAuthorization(header("authorization"));
  if (!authorization) throw new S3Error("AuthorizationHeaderMalformed");
  const { scope, signature, signedHeaders } = authorization;
  const at = header("x-amz-date");
  requireScope(authorization, { region, at });
  if (authorization.accessKeyId !== credentials.accessKeyId)
    throw new S3Error("InvalidAccessKeyId");
  requireSigned(request.headers, signedHeaders);
  const payloadHash = header("x-amz-content-sha256");
  const canonical = canonicalRequest(request, { signedHeaders, payloadHash });
  const key = { scope, secretAccessKey: credentials.secretAccessKey, at };
  if (!isSame(sign(canonical, key), signature)) throw new S3Error("SignatureDoesNotMatch");
  if (Math.abs(timeOf(at) - now.getTime()) > maxSkewMs) throw new S3Error("RequestTimeTooSkewed");
  if (payloadHash !== sha256(request.body)) throw new S3Error("XAmzContentSHA256Mismatch");
}

function requireScope(
  { scope: [day, region, service] }: Authorization,
  expected: { region: string; at: string },
): void {
  const isExpected =
    region === expected.region && service === "s3" && expected.at.startsWith(`${day}T`);
  if (!isExpected) throw new S3Error("AuthorizationHeaderMalformed");
}

/** Throws if the host header or one of Amazon's own headers is not signed. */
function requireSigned(headers: readonly string[], signed: readonly string[]): void {
  const names = headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const own = names.filter((name) => name === "host" || name.startsWith("x-amz-"));
  if (own.some((name) => !signed.includes(name))) throw new S3Error("AccessDenied");
}

/** Converts a time such as 20130524T000000Z to milliseconds since 1970. */
function timeOf(at: string): number {
  return Date.parse(at.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
}

const pattern =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/([^/,]+)\/(aws4_request), *SignedHeaders=([a-z0-9;-]+), *Signature=([0-9a-f]{64})$/;

function parseAuthorization(header: string): Authorization | undefined {
  const [, accessKeyId, day, region, service, end, names, signature] = pattern.exec(header) ?? [];
  if (!accessKeyId || !day || !region || !service || !end || !names || !signature) return undefined;
  const signedHeaders = names.split(";");
  return { accessKeyId, scope: [day, region, service, end], signedHeaders, signature };
}

/** `payloadHash` is the value of x-amz-content-sha256. */
function canonicalRequest(
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

/** `at` is the value of x-amz-date. */
function sign(
  canonical: string,
  key: { scope: Authorization["scope"]; secretAccessKey: string; at: string },
): string {
  const text = ["AWS4-HMAC-SHA256", key.at, key.scope.join("/"), sha256(canonical)].join("\n");
  const first = Buffer.from(`AWS4${key.secretAccessKey}`);
  return hmac(key.scope.reduce<Buffer>(hmac, first), text).toString("hex");
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Returns a header's values, with runs of spaces collapsed. */
function valuesOf(headers: readonly string[], name: string): string[] {
  return headers.flatMap((value, index) =>
    index % 2 === 1 && headers[index - 1]?.toLowerCase() === name
      ? value.trim().replaceAll(/\s+/g, " ")
      : [],
  );
}

function sha256(data: string | Buffer): string {
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
