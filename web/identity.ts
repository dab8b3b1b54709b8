import { z } from "zod";
import { CallError } from "#contract/client.ts";
import { paths } from "./paths.ts";

/** Who the identity service says the browser is, member or not. */
export type Identity = { uid: string; email: string; name: string };

const session = z
  .object({ user: z.object({ id: z.string(), email: z.string(), name: z.string() }) })
  .nullable();

/** Who is signed in at the identity service, by its cookie. */
export async function readIdentity(): Promise<Identity | null> {
  const found = session.parse(await ask("/get-session"));
  return found && { uid: found.user.id, email: found.user.email, name: found.user.name };
}

export async function signInWithEmail(who: { email: string; password: string }): Promise<void> {
  await ask("/sign-in/email", who);
}

export async function signUpWithEmail(who: {
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  await ask("/sign-up/email", who);
}

export async function endSession(): Promise<void> {
  await ask("/sign-out", {});
}

/** The address of Google's own page to sign in at. */
export async function googleAddress(): Promise<string> {
  const asked = { provider: "google", callbackURL: paths.authDone(), disableRedirect: true };
  return z.object({ url: z.string() }).parse(await ask("/sign-in/social", asked)).url;
}

/** Asks the identity service. Throws a `CallError` with a sentence for people where it refuses. */
async function ask(path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`/api/auth${path}`, {
    ...(body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    const message = "We can't reach Secondlap. Check your connection and try again.";
    throw new CallError(0, { message, code: "UNREACHABLE" });
  });
  const answered: unknown = await answer.json().catch(() => null);
  if (answer.ok) return answered;
  const { code, message } = refusal.parse(answered ?? {});
  throw new CallError(answer.status, {
    code,
    message: sentences[code] ?? sentence(answer, message),
  });
}

const refusal = z.object({ code: z.string().default(""), message: z.string().default("") });

/** What the identity service's codes mean, in words that say what to do. */
const sentences: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: "That email and password don't match. Check both and try again.",
  USER_ALREADY_EXISTS: "There is already an account with this email. Log in instead.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL:
    "There is already an account with this email. Log in instead.",
  INVALID_EMAIL: "Write an email address such as you@example.com.",
};

function sentence({ status }: Response, message: string): string {
  if (status === 429) return "That was too many tries. Wait a minute and try again.";
  return message || "Signing in does not work at the moment. Please try again.";
}
