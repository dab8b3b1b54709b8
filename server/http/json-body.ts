import type { FastifyInstance } from "fastify";
import { AppError } from "../errors.ts";

/** How deep the objects and lists of a body may lie within each other; ours lie three deep. */
const deepest = 20;

/** Takes JSON as Fastify does, but none that lies so deep that whoever walks it runs out of stack. */
export function limitJsonDepth(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = String(body);
    if (depthOf(text) <= deepest) return parse(request, text, done);
    done(new AppError("BAD_REQUEST", "That lies too deep within itself to be read."));
  });
}

function depthOf(json: string): number {
  let [depth, most, inText] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (inText && sign === "\\") at += 1;
    else if (sign === '"') inText = !inText;
    else if (!inText && (sign === "{" || sign === "[")) most = Math.max(most, ++depth);
    else if (!inText && (sign === "}" || sign === "]")) depth -= 1;
  }
  return most;
}
