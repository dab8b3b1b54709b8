import "@fastify/multipart";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as calls from "#contract/images.ts";
import * as privateCalls from "#contract/private-photos.ts";
import type { Config } from "../../config.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { extendBodyTimeout } from "../../http/request-limits.ts";
import { created, ok, type Router } from "../../http/route-registration.ts";
import { avifName } from "./photo-files.ts";
import { readPrivatePhoto, uploadPrivatePhoto } from "./private-photos.ts";
import { type Upload, withMinimumUploadRate } from "./receive-photo.ts";
import { type StoredImage, uploadPhoto } from "./upload-photo.ts";

export function imageRoutes({ route, deps }: Router): void {
  route(calls.uploadImage, async ({ request, caller }) =>
    answer(await uploadPhoto(deps, caller, { ...uploadOf(request, deps), shape: "listing" })),
  );
  route(calls.uploadPhoto, async ({ request, caller }) =>
    answer(await uploadPhoto(deps, caller, { ...uploadOf(request, deps), shape: "profile" })),
  );
  route(privateCalls.uploadPrivatePhoto, async ({ request, caller }) => {
    const photo = await uploadPrivatePhoto(deps, caller, uploadOf(request, deps));
    return created({ acknowledged: true as const, photo });
  });
  route(privateCalls.readPrivatePhoto, async ({ params, query, caller }) =>
    ok({ ...(await readPrivatePhoto(deps, caller, { ...params, ...query })), personal: true }),
  );

  function answer({ path, ...rest }: StoredImage) {
    const url = `${deps.config.publicUrl}${path}`;
    return ok({
      success: true as const,
      status: 200 as const,
      data: { url, display_url: url, ...rest },
    });
  }
}

function uploadOf(request: FastifyRequest, { config }: Deps): Upload {
  return { address: networkOf(request.ip), receive: (path) => receive(request, path, config) };
}

async function receive(request: FastifyRequest, path: string, config: Config): Promise<void> {
  if (!request.isMultipart()) {
    throw new AppError(
      "UNSUPPORTED_TYPE",
      "Send the photo as multipart/form-data, in a field named image.",
    );
  }
  extendBodyTimeout(request, config);
  const { socket } = request.raw;
  const rate = { socket, windowMs: config.httpTimeouts.uploadRateWindow };
  const found = await withMinimumUploadRate(rate, (signal) => writePhoto(request, path, signal));
  if (!found) throw new AppError("NOT_AN_IMAGE", "Send the photo in a field named image.");
}

/** Returns false if the form's first file isn't in the field `image`. */
async function writePhoto(
  request: FastifyRequest,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  // Reads one byte more than allowed, to detect files above the limit.
  const limits = { fileSize: calls.maxImageBytes + 1, files: 1, fields: 5 };
  try {
    const upload = await request.file({ limits, throwFileSizeLimit: false });
    if (upload?.fieldname !== "image") return false;
    await pipeline(upload.file, createWriteStream(path), { signal });
    return true;
  } catch (error) {
    // A system error, such as a full disk, causes a 500.
    if (error instanceof Error && "syscall" in error) throw error;
    throw new AppError("BAD_REQUEST", "The upload was cut off or garbled. Please send it again.");
  }
}

/** A WebP name serves AVIF if that version is stored and the browser accepts AVIF. */
export function serveImages(app: FastifyInstance, { images: store }: Deps): void {
  app.route({
    method: "GET",
    url: "/images/:name",
    schema: { hide: true },
    handler: async (request, reply) => {
      const { name } = request.params as { name: string };
      const [, sha256 = "", width] = nameOfImage.exec(name) ?? [];
      const avif = width && request.headers.accept?.includes("image/avif");
      const better = avif && (await store.read(avifName(sha256, Number(width))));
      const bytes = better || (sha256 && (await store.read(name)));
      if (!bytes) throw new AppError("NOT_FOUND", "There is no such image.");
      if (width) reply.header("vary", "accept");
      return reply
        .type(better ? "image/avif" : width ? "image/webp" : "image/jpeg")
        .header("cache-control", "public, max-age=31536000, immutable")
        .header("cross-origin-resource-policy", "cross-origin")
        .send(bytes);
    },
  });
}

const nameOfImage = /^([0-9a-f]{64})(?:-(\d{3,4})\.webp|\.jpg)$/;
