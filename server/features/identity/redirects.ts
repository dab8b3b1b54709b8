import { safeDestination } from "#contract/safe-destination.ts";
import { AppError } from "../../errors.ts";

/** Request fields that name the page to redirect to after signing in. */
const callbackFields = ["callbackURL", "errorCallbackURL", "newUserCallbackURL", "redirectTo"];

/** Prevents open redirects: throws `FORBIDDEN` unless every callback is a page of this site. */
export function requireOwnCallbacks(body: unknown): void {
  const fields = Object(body) as Record<string, unknown>;
  for (const field of callbackFields) {
    const url = fields[field];
    if (url === undefined || url === null) continue;
    if (typeof url !== "string" || safeDestination(url) !== url) throw foreignRedirect();
  }
}

/** Returns the `Location` of a redirect. Throws `FORBIDDEN` for a location on another site. */
export function ownLocation(
  location: string,
  { publicUrl, origins }: { publicUrl: string; origins: string[] },
): string {
  if (!URL.canParse(location, publicUrl)) throw foreignRedirect();
  if (!origins.includes(new URL(location, publicUrl).origin)) throw foreignRedirect();
  return location;
}

function foreignRedirect(): AppError {
  return new AppError("FORBIDDEN", "Signing in can only return you to a page of this site.");
}
