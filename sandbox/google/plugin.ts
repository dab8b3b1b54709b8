import { join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SandboxConfig } from "../config.ts";
import { createExpiringStore } from "../expiring-store.ts";
import { accountChooserRoutes } from "./account-chooser.ts";
import type { Account } from "./accounts.ts";
import { discoveryRoutes, type Grant } from "./discovery.ts";
import { openSigningKey } from "./signing-key.ts";
import { tokenRoutes } from "./token-endpoint.ts";

/** decisions/sandbox explains why this is our own code. */
export async function google(app: FastifyInstance, config: SandboxConfig): Promise<void> {
  const provider = {
    client: config.google,
    signingKey: await openSigningKey(join(config.stateDir, "google-key.json")),
    codes: createExpiringStore<Grant>(60_000),
    accessTokens: createExpiringStore<Account>(3_600_000),
  };
  await app.register(
    async (scope) => {
      parseFormBodies(scope);
      discoveryRoutes(scope, provider);
      accountChooserRoutes(scope, provider);
      tokenRoutes(scope, provider);
    },
    { prefix: "/google" },
  );
}

function parseFormBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
}
