import { join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SandboxConfig } from "../config.ts";
import type { Grant } from "./authorization.ts";
import { chooserRoutes } from "./chooser.ts";
import type { Person } from "./people.ts";
import { discoveryRoutes } from "./provider.ts";
import { shortLived } from "./short-lived.ts";
import { openSigning } from "./signing.ts";
import { tokenRoutes } from "./tokens.ts";

/** Plays Google as an OpenID provider, below `/google`. */
export async function google(app: FastifyInstance, config: SandboxConfig): Promise<void> {
  const provider = {
    client: config.google,
    signing: await openSigning(join(config.stateDir, "google-key.json")),
    codes: shortLived<Grant>(60_000),
    visitors: shortLived<Person>(3_600_000),
  };
  await app.register(
    async (scope) => {
      acceptForms(scope);
      discoveryRoutes(scope, provider);
      chooserRoutes(scope, provider);
      tokenRoutes(scope, provider);
    },
    { prefix: "/google" },
  );
}

/** Bodies here are forms, as browsers and OAuth clients send them. */
function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
}
