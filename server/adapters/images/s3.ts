import { createHash } from "node:crypto";
import { addAbortSignal, Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { maxImageBytes } from "#contract/images.ts";
import { AppError } from "../../errors.ts";
import {
  type ProviderTimeouts,
  providerTimeouts,
} from "../../settings/http-and-provider-timeouts.ts";
import { limitCalls } from "../limit-calls.ts";
import { DamagedFile, type ImageStore, isPrivate } from "./port.ts";

type S3Settings = {
  /** Undefined for Amazon's endpoint in the region. */
  endpoint: string | undefined;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket's name is in the URL's path instead of its host name. */
  pathStyle: boolean;
  timeouts?: ProviderTimeouts["s3"];
};

/** For `npm run` commands, where no visitor is waiting. */
export const commandTimeouts = { connect: 30_000, attempt: 60_000, total: 120_000 };

type Sdk = typeof import("@aws-sdk/client-s3");
type Open = { sdk: Sdk; client: S3Client };

/** The library opens at most 50 connections for these calls. */
const maxCalls = 500;

/**
 * Stores each object with its SHA-256. Replaces no object, unless the server lacks conditional
 * writes (decisions/photos).
 */
export function s3Images(settings: S3Settings): ImageStore {
  const { bucket: Bucket, timeouts = providerTimeouts.s3 } = settings;
  const limit = limitCalls(maxCalls, { service: "images" });
  let opening: Promise<Open> | undefined;

  async function call<T>(work: (open: Open, options: { abortSignal: AbortSignal }) => Promise<T>) {
    opening ??= openClient(settings, timeouts);
    const open = await opening;
    const abortSignal = AbortSignal.timeout(timeouts.total);
    return await limit(() => work(open, { abortSignal })).catch(throwUnavailable);
  }

  return {
    async put(name, bytes) {
      await call(async ({ sdk, client }, options) => {
        const object = { Bucket, Key: name, Body: bytes, ...headersOf(name, bytes) };
        const put = (condition: { IfNoneMatch?: string }) =>
          client.send(new sdk.PutObjectCommand({ ...object, ...condition }), options);
        const stored = await put({ IfNoneMatch: "*" }).catch(async (error: unknown) => {
          if (isError(error, "PreconditionFailed")) return { ETag: "of the stored one" };
          // The object was just deleted, or the server lacks conditional writes.
          if (!isError(error, "ConditionalRequestConflict", "NotImplemented")) throw error;
          return await put({});
        });
        if (!stored.ETag) throw notS3();
      });
    },
    async delete(name) {
      await call(async ({ sdk, client }, options) => {
        const remove = new sdk.DeleteObjectCommand({ Bucket, Key: name });
        const { $metadata } = await client.send(remove, options);
        if ($metadata.httpStatusCode !== 204) throw notS3();
      });
    },
    async read(name) {
      return await call(async ({ sdk, client }, options) => {
        const get = new sdk.GetObjectCommand({ Bucket, Key: name });
        const found = await client.send(get, options).catch((error: unknown) => {
          if (isError(error, "NoSuchKey")) return undefined;
          throw error;
        });
        return found && (await readVerified(found, options.abortSignal));
      });
    },
  };
}

async function openClient(
  { endpoint, region, accessKeyId, secretAccessKey, pathStyle }: S3Settings,
  { connect, attempt }: ProviderTimeouts["s3"],
): Promise<Open> {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client({
    ...(endpoint !== undefined && { endpoint }),
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: pathStyle,
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: connect,
      requestTimeout: attempt,
      throwOnRequestTimeout: true,
    },
    // The signature covers a SHA-256 of the body. Not every server supports other checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return { sdk, client };
}

const types: Record<string, string> = {
  jpg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
};

function headersOf(name: string, bytes: Buffer) {
  return {
    ContentType: types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    CacheControl: isPrivate(name) ? "private, no-store" : "public, max-age=31536000, immutable",
    Metadata: { sha256: sha256(bytes) },
  };
}

type Found = { Body?: unknown; Metadata?: Record<string, string> | undefined };

/** Compares the hash, because a proxy may send its own page with status 200. */
async function readVerified({ Body, Metadata }: Found, signal: AbortSignal): Promise<Buffer> {
  if (!(Body instanceof Readable)) throw new DamagedFile();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, Body)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxImageBytes) throw new DamagedFile();
  }
  const bytes = Buffer.concat(chunks);
  if (Metadata?.sha256 === sha256(bytes)) return bytes;
  throw new DamagedFile();
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function notS3(): Error {
  return new Error("The answer is not one of S3.");
}

/** Compares the name, because the library's error classes are not loaded at startup. */
function isError(error: unknown, ...names: string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}

function throwUnavailable(cause: unknown): never {
  if (cause instanceof DamagedFile) throw cause;
  const message = "We can't reach our photo storage just now. Please try again in a minute.";
  throw Object.assign(new AppError("UNAVAILABLE", message), { cause });
}
