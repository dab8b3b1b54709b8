import type { FastifyInstance, FastifyRequest } from "fastify";
import { webHeaders } from "../../access.ts";
import type { Deps } from "../../deps.ts";
import { clientAddressHeader } from "../../ports/identity/port.ts";

/** Hands the embedded identity service its own routes, below `/api/auth`; it speaks the web platform's Request. */
export function identityRoutes(app: FastifyInstance, { identity, config }: Deps): void {
  const { answer } = identity;
  if (!answer) return;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer" },
      async (_: FastifyRequest, body: Buffer) => body,
    );
    scope.route({
      method: ["GET", "POST"],
      url: "/api/auth/*",
      schema: { hide: true },
      handler: async (request, reply) => {
        const response = await answer(toWebRequest(request, config.publicUrl));
        reply.code(response.status).header("cache-control", "no-store");
        for (const [name, value] of response.headers) reply.header(name, value);
        return reply.send(Buffer.from(await response.arrayBuffer()));
      },
    });
  });
}

function toWebRequest(request: FastifyRequest, publicUrl: string): Request {
  const headers = webHeaders(request);
  // The one address limits go by is the one the connection came from (decision 0006).
  headers.set(clientAddressHeader, request.ip);
  const body =
    Buffer.isBuffer(request.body) && request.method !== "GET" ? new Uint8Array(request.body) : null;
  return new Request(new URL(request.url, publicUrl), { method: request.method, headers, body });
}
