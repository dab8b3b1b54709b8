import type { FastifyInstance } from "fastify";
import { AppError } from "../errors.ts";

/** Maximum size of a request body in bytes. Uploads have their own limits (contract/images.ts). */
export const maxBodyBytes = 64 * 1024;

/** Maximum nesting depth. The deepest body in the contract has three levels. */
const maxDepth = 20;

/** Rejects JSON nested so deeply that a recursive function would overflow the stack. */
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
