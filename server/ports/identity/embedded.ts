import { betterAuth } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { Kysely } from "kysely";
import { newPassword } from "#contract/members.ts";
import { email as emailSchema } from "#contract/text.ts";
import type { DB } from "../../db/schema.ts";
import { clientAddressHeader, type Identity } from "./port.ts";

export type EmbeddedSettings = {
  secret: string;
  publicUrl: string;
  origins: string[];
  rateLimit: boolean;
};

/** The identity service that comes with the program: better-auth on the program's own pool. */
export function embeddedIdentity(db: Kysely<DB>, settings: EmbeddedSettings): Identity {
  const auth = createAuth(db, settings);
  return {
    async prove(headers) {
      const session = await auth.api.getSession({ headers });
      if (!session) return undefined;
      const { id, email, name } = session.user;
      return { uid: id, email: emailSchema.parse(email), name };
    },
    answer: (request) => auth.handler(request),
    async enrol(person) {
      const { internalAdapter } = await auth.$context;
      const known = await internalAdapter.findUserByEmail(person.email);
      const { id, email, name } =
        known?.user ?? (await auth.api.signUpEmail({ body: person })).user;
      return { uid: id, email, name };
    },
  };
}

function createAuth(db: Kysely<DB>, { secret, publicUrl, origins, rateLimit }: EmbeddedSettings) {
  return betterAuth({
    appName: "Secondlap",
    secret,
    baseURL: publicUrl,
    basePath: "/api/auth",
    database: { db: db.withSchema("identity"), type: "postgres" },
    emailAndPassword: { enabled: true, minPasswordLength: 6, maxPasswordLength: 128 },
    rateLimit: { enabled: rateLimit, storage: "database", window: 60, max: 60 },
    advanced: {
      cookiePrefix: "secondlap",
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    trustedOrigins: origins,
    hooks: { before: checkNewPassword },
    telemetry: { enabled: false },
  });
}

/** The specification's rules for a new password hold at the service too, not in the browser alone (specification 5). */
const checkNewPassword = createAuthMiddleware(async ({ path, body }) => {
  const password = { "/sign-up/email": body?.password, "/reset-password": body?.newPassword }[path];
  if (password === undefined) return;
  const parsed = newPassword.safeParse(password);
  if (parsed.success) return;
  const message = parsed.error.issues[0]?.message ?? "Password must be strong.";
  throw new APIError("BAD_REQUEST", { code: "WEAK_PASSWORD", message });
});
