import type { FastifyInstance, FastifyRequest } from "fastify";

export type Form = { [key: string]: string | Form };

/** Decodes Stripe's form encoding: `metadata[bookingId]=7` is `{ metadata: { bookingId: "7" } }`. */
function decodeForm(text: string): Form {
  const form = emptyForm();
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
  const created = emptyForm();
  parent[key] = created;
  return created;
}

/** Without a prototype, a parameter called `__proto__` is only a name. */
function emptyForm(): Form {
  return Object.create(null);
}

/** Makes forms of the bodies of the calls below, and refuses any other kind of body. */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string) => decodeForm(body),
  );
}

/** The parameters of a call: of the body when it writes, of the query when it reads. */
export function paramsOf({ method, body, raw }: FastifyRequest): Form {
  if (method !== "GET") return (body as Form | undefined) ?? emptyForm();
  return decodeForm(raw.url?.split("?")[1] ?? "");
}
