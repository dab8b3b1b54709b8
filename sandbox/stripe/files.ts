import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Form } from "../form-encoding.ts";
import { unixSeconds } from "./clock.ts";
import { type ApiResponse, invalidRequest, resourceMissing } from "./errors.ts";
import { newId } from "./new-objects.ts";
import type { StoredFile } from "./objects.ts";
import type { fileParams } from "./params.ts";
import type { Store } from "./store.ts";

/** Stripe's limits for evidence files: the maximum size, and the storage time. */
const maxBytes = 5 * 1024 * 1024;
const keptSeconds = 270 * 24 * 60 * 60;
/** Larger than `maxBytes`, so that a file over that limit gets Stripe's own error. */
const maxBodyBytes = 3 * maxBytes;

/** Parses an upload to a form with the file's name, and its contents in base64. */
export function parseFileUploads(app: FastifyInstance): void {
  app.addContentTypeParser(
    "multipart/form-data",
    { parseAs: "buffer", bodyLimit: maxBodyBytes },
    async (request: FastifyRequest, body: Buffer) => {
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const sent = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
        throw invalidRequest("Invalid multipart body.");
      });
      const form: Form = Object.create(null);
      for (const [name, value] of sent)
        form[name] = typeof value === "string" ? value : await toForm(value);
      return form;
    },
  );
}

async function toForm(file: File): Promise<Form> {
  const contents = Buffer.from(await file.arrayBuffer()).toString("base64");
  return { name: file.name, contents };
}

export function createFile(
  store: Store,
  { purpose, file }: z.output<typeof fileParams>,
): ApiResponse {
  const contents = Buffer.from(file.contents, "base64");
  if (contents.length > maxBytes)
    throw invalidRequest("The file is too large: it may have 5 MB.", { param: "file" });
  const type = typeOf(contents);
  if (type === undefined)
    throw invalidRequest("The file must be a PDF, JPEG or PNG.", { param: "file" });
  const id = newId("file");
  const body: StoredFile = {
    id,
    object: "file",
    purpose,
    type,
    size: contents.length,
    filename: file.name,
    created: unixSeconds(),
    expires_at: unixSeconds() + keptSeconds,
    links: { object: "list", data: [], has_more: false, url: `/v1/file_links?file=${id}` },
    title: null,
    url: `https://files.stripe.com/v1/files/${id}/contents`,
  };
  store.put(body);
  store.saveContents(id, contents);
  return { status: 200, body };
}

/** Detects a file's type from its first bytes, because the file's name can be anything. */
function typeOf(contents: Buffer): string | undefined {
  const start = contents.toString("latin1", 0, 8);
  if (start.startsWith("\xff\xd8\xff")) return "jpg";
  if (start === "\x89PNG\r\n\x1a\n") return "png";
  return start.startsWith("%PDF-") ? "pdf" : undefined;
}

export function readContents(store: Store, id: string): Buffer {
  const contents = store.contentsOf(id);
  if (!contents) throw resourceMissing("file", id);
  return contents;
}

export function requireFile(store: Store, id: string): void {
  if (store.find("file", id)) return;
  throw invalidRequest(`No such file upload: '${id}'`, {
    code: "resource_missing",
    param: "evidence[uncategorized_file]",
  });
}
