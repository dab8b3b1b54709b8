import { z } from "zod";
import { text, webAddress, wholeNumberBetween } from "./fields.ts";

const aTime = "must be a number of seconds: a whole number from 1 to 86400";

/** Settings for a CDN in front of the public pages (decisions/cdn). */
export const cdnFields = {
  CDN_SECONDS: wholeNumberBetween(1, 86_400, aTime).optional(),
  CDN_PURGE_URL: webAddress.optional(),
  CDN_PURGE_METHOD: z.enum(["PURGE", "POST"]).default("PURGE"),
  CDN_PURGE_TOKEN: text.optional(),
};

type CdnFields = z.output<z.ZodObject<typeof cdnFields>>;

/** Maximum `CDN_SECONDS` without purges, when responses may be out of date until they expire. */
const maxUnpurgedSeconds = 10;

export function cdnProblems({ CDN_SECONDS, CDN_PURGE_URL }: CdnFields): string[] {
  if (CDN_PURGE_URL !== undefined && CDN_SECONDS === undefined)
    return ["CDN_SECONDS must be set with CDN_PURGE_URL: how long the CDN may keep an answer."];
  if (CDN_SECONDS !== undefined && CDN_SECONDS > maxUnpurgedSeconds && !CDN_PURGE_URL)
    return [
      `CDN_PURGE_URL must be set if CDN_SECONDS is above ${maxUnpurgedSeconds}: otherwise sold laptops are shown for so long.`,
    ];
  return [];
}

export function cdnSettings(set: CdnFields) {
  if (set.CDN_SECONDS === undefined) return undefined;
  const { CDN_PURGE_URL: url, CDN_PURGE_METHOD: method, CDN_PURGE_TOKEN: token } = set;
  return {
    seconds: set.CDN_SECONDS,
    purge: url === undefined ? undefined : { url, method, token },
  };
}
