import type { FastifyInstance } from "fastify";
import { AppError } from "../errors.ts";

/** Maximum size of a request body in bytes. Uploads have their own limits (contract/images.ts). */
export const maxBodyBytes = 64 * 1024;

/** Maximum nesting depth. The deepest bodies in the contract have four levels. */
const maxDepth = 20;

/** Rejects deeply nested JSON, which could overflow the stack of a recursive function. */
export function limitJsonDepth(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = String(body);
    if (depthOf(text) <= maxDepth) return parse(request, text, done);
    done(new AppError("BAD_REQUEST", "The body is nested too deeply."));
  });
}

function depthOf(json: string): number {
  let [depth, max, inString] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (inString && char === "\\") at += 1;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === "{" || char === "[")) max = Math.max(max, ++depth);
    else if (!inString && (char === "}" || char === "]")) depth -= 1;
  }
  return max;
}
