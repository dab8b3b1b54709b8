/**
 * For members' own answers and for errors. Both words are needed: browsers heed `no-store`, and Fastly keeps for an hour
 * what is not `private` (https://www.fastly.com/documentation/guides/concepts/edge-state/cache/cache-freshness/).
 */
export const uncacheable = "private, no-store";
