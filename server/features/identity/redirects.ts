import { safeDestination } from "#contract/safe-destination.ts";
import { AppError } from "../../errors.ts";

/** Request fields that say where to redirect after signing in. */
const callbackFields = ["callbackURL", "errorCallbackURL", "newUserCallbackURL", "redirectTo"];

/** Prevents open redirects: refuses `FORBIDDEN` unless every callback is a page of this site. */
export function requireOwnCallbacks(body: unknown): void {
  const fields = Object(body) as Record<string, unknown>;
  for (const field of callbackFields) {
    const url = fields[field];
    if (url === undefined || url === null) continue;
    if (typeof url !== "string" || safeDestination(url) !== url) throw foreignRedirect();
  }
}

/** Returns the `Location` of a redirect. Refuses `FORBIDDEN` if it leaves the site's origins. */
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
