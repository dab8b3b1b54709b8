import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { SandboxConfig } from "../config.ts";
import { createExpiringStore } from "../expiring-store.ts";
import { parseFormBodies } from "../form-encoding.ts";
import { authorizationRoutes, type Grant } from "./authorization-endpoint.ts";
import { discoveryRoutes, lazySigningKey } from "./discovery.ts";
import { tokenRoutes } from "./token-endpoint.ts";

/** decisions/sandbox explains why this is our own code. */
export async function google(app: FastifyInstance, config: SandboxConfig): Promise<void> {
  const provider = {
    client: config.google,
    signingKey: lazySigningKey(join(config.stateDir, "google-key.json")),
    codes: createExpiringStore<Grant>(60_000),
  };
  await app.register(
    async (scope) => {
      parseFormBodies(scope);
      discoveryRoutes(scope, provider.signingKey);
      authorizationRoutes(scope, provider);
      tokenRoutes(scope, provider);
    },
    { prefix: "/google" },
  );
}
