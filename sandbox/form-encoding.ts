import type { FastifyInstance, FastifyRequest } from "fastify";

export type Form = { [key: string]: string | Form };

/** Decodes a form: `metadata[bookingId]=7` becomes `{ metadata: { bookingId: "7" } }`. */
export function decodeForm(text: string): Form {
  const form = newForm();
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.replace(/\]$/, "").split(/\]?\[/);
    const last = keys.pop() ?? "";
    const parent = keys.reduce(child, form);
    parent[last === "" ? String(Object.keys(parent).length) : last] = value;
  }
  return form;
}

function child(parent: Form, key: string): Form {
  const existing = parent[key];
  if (typeof existing === "object") return existing;
  const created = newForm();
  parent[key] = created;
  return created;
}

/** Creates an object without a prototype, so that a parameter named `__proto__` is harmless. */
function newForm(): Form {
  return Object.create(null);
}

export function parseFormBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string) => decodeForm(body),
  );
}

export function requestParams({ method, body, raw }: FastifyRequest): Form {
  if (method !== "GET") return (body as Form | undefined) ?? newForm();
  return decodeForm(raw.url?.split("?")[1] ?? "");
}
