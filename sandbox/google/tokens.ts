import type { FastifyInstance } from "fastify";
import { faultOf, redeems, tokenRequest } from "./authorization.ts";
import { claimsOf } from "./people.ts";
import { type Google, issuerOf } from "./provider.ts";

/** What the shop's server asks: tokens for a code, and who an access token is. */
export function tokenRoutes(app: FastifyInstance, provider: Google): void {
  const { client, signing, codes, visitors } = provider;

  app.post("/token", async (request, reply) => {
    reply.header("cache-control", "no-store");
    const asked = tokenRequest.safeParse(request.body);
    if (!asked.success) return reply.code(400).send({ error: "invalid_request" });
    const fault = faultOf(asked.data, client);
    if (fault) return reply.code(fault === "invalid_client" ? 401 : 400).send({ error: fault });
    const grant = codes.take(asked.data.code);
    if (!grant || !redeems(asked.data, grant)) {
      return reply.code(400).send({ error: "invalid_grant" });
    }
    const { nonce, scope } = grant.request;
    const { clientId } = client;
    const claims = { ...claimsOf(grant.person), nonce, aud: clientId, azp: clientId };
    return {
      access_token: visitors.keep(grant.person),
      id_token: await signing.sign({ ...claims, iss: issuerOf(request) }),
      token_type: "Bearer",
      expires_in: 3599,
      scope,
    };
  });

  app.get("/v1/userinfo", async (request, reply) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const person = visitors.find(token ?? "");
    if (person) return claimsOf(person);
    return reply.code(401).send({ error: "invalid_token" });
  });
}
