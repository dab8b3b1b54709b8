import { safeDestination } from "#contract/safe-destination.ts";
import { AppError } from "../../errors.ts";

/** The fields in which a browser says where to go on after a sign-in. */
const callbackFields = ["callbackURL", "errorCallbackURL", "newUserCallbackURL", "redirectTo"];

/** Refuses `FORBIDDEN` where a sign-in would lead to anything but a page of this site. */
export function requireOwnCallbacks(body: unknown): void {
  const fields = Object(body) as Record<string, unknown>;
  for (const field of callbackFields) {
    const url = fields[field];
    if (url === undefined || url === null) continue;
    if (typeof url !== "string" || safeDestination(url) !== url) throw elsewhere();
  }
}

/** The `Location` of a redirect. Refuses `FORBIDDEN` where it leaves the site's own origins. */
export function ownLocation(
  location: string,
  { publicUrl, origins }: { publicUrl: string; origins: string[] },
): string {
  if (!URL.canParse(location, publicUrl)) throw elsewhere();
  if (!origins.includes(new URL(location, publicUrl).origin)) throw elsewhere();
  return location;
}

function elsewhere(): AppError {
  return new AppError("FORBIDDEN", "Signing in can only lead to a page of this site.");
}
