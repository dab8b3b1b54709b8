import { S3Error } from "./s3-error.ts";
import {
  type Authorization,
  type Credentials,
  canonicalRequest,
  isSame,
  parseAuthorization,
  type ReceivedRequest,
  sha256,
  sign,
  valuesOf,
} from "./signature-v4.ts";

/** `now` is compared with the time in the request. */
type Verification = { credentials: Credentials; region: string; now: Date };

const maxSkewMs = 15 * 60_000;

/** Throws an `S3Error`. The body must be signed as a whole, not in chunks. */
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

/** The host and all of Amazon's own headers must be signed. */
function requireSigned(headers: readonly string[], signed: readonly string[]): void {
  const names = headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const own = names.filter((name) => name === "host" || name.startsWith("x-amz-"));
  if (own.some((name) => !signed.includes(name))) throw new S3Error("AccessDenied");
}

/** From a time such as 20130524T000000Z to milliseconds since 1970. */
function timeOf(at: string): number {
  return Date.parse(at.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
}
