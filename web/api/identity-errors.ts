import { textOf } from "#contract/client.ts";
import { errorStatus } from "#contract/errors.ts";

const messages: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: "That email and password don't match. Check both and try again.",
  USER_ALREADY_EXISTS: "An account with this email already exists.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "An account with this email already exists.",
  INVALID_EMAIL: "Enter an email address such as you@example.com.",
  INVALID_TOKEN: "This link has already been used or is more than an hour old. Request a new one.",
};

/** The identity library's own messages are for developers, so they are not shown. */
export function messageFor(code: string, answer: unknown): string {
  const isOurs = code in errorStatus || code === "WEAK_PASSWORD";
  const message = messages[code] ?? (isOurs ? textOf(answer, "message") : undefined);
  return message ?? "Something went wrong. Please try again in a minute.";
}
