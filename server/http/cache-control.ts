/**
 * For members' own answers and for errors. Both words are needed: browsers obey `no-store`, but
 * Fastly keeps an answer for an hour unless it is `private`
 * (https://www.fastly.com/documentation/guides/concepts/edge-state/cache/cache-freshness/).
 */
export const uncacheable = "private, no-store";
