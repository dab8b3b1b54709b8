import { APIError, createAuthMiddleware } from "better-auth/api";
import { newUser } from "#contract/members.ts";
import { newPassword } from "#contract/passwords.ts";
import { email as emailSchema } from "#contract/text.ts";
import { isCommonPassword, isSiteWord } from "./common-passwords.ts";
import type { IdentityHooks } from "./port.ts";

type AuthRequest = {
  path: string;
  body?: { password?: unknown; newPassword?: unknown; email?: unknown; name?: unknown };
};

/** Checks new names and passwords, normalizes addresses, and handles password reset requests. */
export function beforePasswords(hooks: IdentityHooks) {
  return createAuthMiddleware(async (request) => {
    if (request.path === "/request-password-reset")
      return await requestPasswordReset(hooks, request);
    if (request.path === "/sign-up/email") checkName(hooks, request);
    await checkNewPassword(request);
    return withNormalizedEmail(request);
  });
}

/** Gives all spellings of an address one account (contract, "Rules for every call"). */
function withNormalizedEmail({ body }: AuthRequest) {
  const email = emailSchema.safeParse(body?.email);
  return email.success ? { context: { body: { ...body, email: email.data } } } : undefined;
}

function checkName(hooks: IdentityHooks, { body }: AuthRequest): void {
  const name = newUser.shape.name.safeParse(body?.name);
  if (!name.success) throw badRequest("INVALID_INPUT", name.error.issues[0]?.message);
  const refusal = hooks.refuseName(name.data);
  if (refusal) throw badRequest(refusal.code, refusal.message);
}

async function requestPasswordReset(hooks: IdentityHooks, { body }: AuthRequest) {
  const email = emailSchema.safeParse(body?.email);
  if (!email.success) throw badRequest("INVALID_EMAIL", email.error.issues[0]?.message);
  return { status: true, message: await hooks.requestPasswordReset(email.data) };
}

/** Throws `WEAK_PASSWORD` if it breaks the rules of specification 5 or is easy to guess. */
async function checkNewPassword({ path, body }: AuthRequest): Promise<void> {
  const password = path === "/sign-up/email" ? body?.password : body?.newPassword;
  if (password === undefined) return;
  const parsed = newPassword.safeParse(password);
  if (!parsed.success) throw badRequest("WEAK_PASSWORD", parsed.error.issues[0]?.message);
  if (isSiteWord(parsed.data)) throw badRequest("WEAK_PASSWORD", siteWord);
  if (await isCommonPassword(parsed.data)) throw badRequest("WEAK_PASSWORD", tooCommon);
}

const choose = "Choose another, such as a few words with a number and a sign.";
const siteWord = `This is little more than a word from this site, which is easy to guess. ${choose}`;
const tooCommon = `This is one of the passwords people use most, and the first anybody would try. ${choose}`;

function badRequest(code: string, message = "Please check this."): APIError {
  return new APIError("BAD_REQUEST", { code, message });
}

/** After a new sign-in, ends the browser's previous session. */
export const afterSignIn = createAuthMiddleware(async ({ context, getSignedCookie }) => {
  const previous = await getSignedCookie(context.authCookies.sessionToken.name, context.secret);
  if (previous && context.newSession && previous !== context.newSession.session.token)
    await context.internalAdapter.deleteSession(previous);
});
