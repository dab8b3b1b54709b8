import { APIError, createAuthMiddleware } from "better-auth/api";
import type { Kysely } from "kysely";
import { newPassword, newUser } from "#contract/members.ts";
import { email as emailSchema } from "#contract/text.ts";
import type { DB } from "../../db/schema.ts";
import { requestPasswordReset } from "../../features/identity/password-reset.ts";
import { isCommonPassword } from "./common-passwords.ts";

type Asked = {
  path: string;
  body?: { password?: unknown; newPassword?: unknown; email?: unknown; name?: unknown };
};

/** What we put before the service's own way with passwords. */
export function beforePasswords(db: Kysely<DB>) {
  return createAuthMiddleware(async (asked) => {
    if (asked.path === "/request-password-reset") return await takeResetRequest(db, asked);
    if (asked.path === "/sign-up/email") checkName(asked);
    await checkNewPassword(asked);
    return asCompared(asked);
  });
}

/** Two spellings of one address are one account (contract, "Rules that hold for every call"). */
function asCompared({ body }: Asked) {
  const email = emailSchema.safeParse(body?.email);
  return email.success ? { context: { body: { ...body, email: email.data } } } : undefined;
}

function checkName({ body }: Asked): void {
  const name = newUser.shape.name.safeParse(body?.name);
  if (!name.success) throw refusal("INVALID_INPUT", name.error.issues[0]?.message);
}

/** Answered by us, in the service's words (`features/identity/password-reset.ts`). */
async function takeResetRequest(db: Kysely<DB>, { body }: Asked) {
  const email = emailSchema.safeParse(body?.email);
  if (!email.success) throw refusal("INVALID_EMAIL", email.error.issues[0]?.message);
  return { status: true, message: await requestPasswordReset(db, email.data) };
}

/**
 * The specification's rules for a new password hold at the service too, not in the browser alone
 * (specification 5). Beyond them, one that is on everybody's list is refused.
 */
async function checkNewPassword({ path, body }: Asked): Promise<void> {
  const password = path === "/sign-up/email" ? body?.password : body?.newPassword;
  if (password === undefined) return;
  const parsed = newPassword.safeParse(password);
  if (!parsed.success) throw refusal("WEAK_PASSWORD", parsed.error.issues[0]?.message);
  if (await isCommonPassword(parsed.data)) throw refusal("WEAK_PASSWORD", tooCommon);
}

const tooCommon =
  "This is one of the passwords people use most, and the first anybody would try. Choose another, such as a few words with a number and a sign.";

function refusal(code: string, message = "Please check this."): APIError {
  return new APIError("BAD_REQUEST", { code, message });
}

/** What we put after it: whoever is let in leaves the session that their browser had before. */
export const afterPasswords = createAuthMiddleware(async ({ context, getSignedCookie }) => {
  const before = await getSignedCookie(context.authCookies.sessionToken.name, context.secret);
  if (before && context.newSession && before !== context.newSession.session.token)
    await context.internalAdapter.deleteSession(before);
});
