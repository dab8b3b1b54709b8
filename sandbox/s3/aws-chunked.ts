import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { S3Error } from "./s3-error.ts";
import { type Authorization, hmac, isSame, sha256, signingKey } from "./signature-v4.ts";

/** `seed` is the request's own signature. */
type ChunkKey = {
  seed: string;
  at: string;
  scope: Authorization["scope"];
  secretAccessKey: string;
};

/** Verifies signatures if `key` is given, and a checksum in the trailer. Throws an `S3Error`. */
export function decodeChunks(body: Buffer, key: ChunkKey | undefined): Buffer {
  const verify = key && chunkVerifier(key);
  const chunks: Buffer[] = [];
  let at = 0;
  while (true) {
    const { line, next } = readLine(body, at);
    const [, size = "", signature] =
      /^([0-9a-f]+)(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line) ?? [];
    const length = Number.parseInt(size, 16);
    if (Number.isNaN(length) || next + length > body.length) throw incomplete();
    const data = body.subarray(next, next + length);
    verify?.data(data, signature);
    at = next + length;
    if (length === 0) break;
    chunks.push(data);
    if (body.toString("latin1", at, at + 2) !== "\r\n") throw incomplete();
    at += 2;
  }
  const decoded = Buffer.concat(chunks);
  verifyTrailer(body.toString("latin1", at), decoded, verify);
  return decoded;
}

type Verifier = ReturnType<typeof chunkVerifier>;

/** A chain of signatures, so that chunks can't be left out or swapped. */
function chunkVerifier({ seed, at, scope, secretAccessKey }: ChunkKey) {
  const key = signingKey({ scope, secretAccessKey });
  let previous = seed;
  const check = (kind: string, hashes: string[], signature: string | undefined) => {
    const text = [`AWS4-HMAC-SHA256-${kind}`, at, scope.join("/"), previous, ...hashes].join("\n");
    const expected = hmac(key, text).toString("hex");
    if (!isSame(expected, signature ?? "")) throw new S3Error("SignatureDoesNotMatch");
    previous = expected;
  };
  return {
    data: (data: Buffer, signature: string | undefined) =>
      check("PAYLOAD", [sha256(""), sha256(data)], signature),
    trailer: (text: string, signature: string | undefined) =>
      check("TRAILER", [sha256(text)], signature),
  };
}

function verifyTrailer(text: string, decoded: Buffer, verify: Verifier | undefined): void {
  const lines = text.split("\r\n").filter(Boolean);
  if (lines.length === 0) return;
  const fields = new Map(lines.map((line) => line.split(/:(.*)/s) as [string, string]));
  const signature = fields.get("x-amz-trailer-signature");
  fields.delete("x-amz-trailer-signature");
  verify?.trailer([...fields].map(([name, value]) => `${name}:${value}\n`).join(""), signature);
  requireChecksums(fields, decoded);
}

/** Checks every checksum in these headers or trailer fields. Throws an `S3Error`. */
export function requireChecksums(fields: Iterable<[string, string]>, body: Buffer): void {
  for (const [name, value] of fields) {
    const [, algorithm] = /^x-amz-checksum-(crc\w+|sha\w+)$/.exec(name) ?? [];
    if (algorithm === undefined) continue;
    const checksum = checksums[algorithm];
    if (!checksum) throw new S3Error("NotImplemented");
    if (checksum(body).toString("base64") !== value.trim()) throw new S3Error("BadDigest");
  }
}

const checksums: Record<string, (body: Buffer) => Buffer> = {
  crc32: (body) => fourBytes(crc32(body)),
  crc32c: (body) => fourBytes(crc32c(body)),
  sha1: (body) => createHash("sha1").update(body).digest(),
  sha256: (body) => createHash("sha256").update(body).digest(),
};

function fourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** CRC-32C (Castagnoli, RFC 3720), bit by bit. */
function crc32c(body: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function readLine(body: Buffer, from: number): { line: string; next: number } {
  const end = body.indexOf("\r\n", from);
  if (end === -1) throw incomplete();
  return { line: body.toString("latin1", from, end), next: end + 2 };
}

function incomplete(): S3Error {
  return new S3Error("IncompleteBody");
}
