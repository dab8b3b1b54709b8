/**
 * The Cache-Control header of errors and of answers for one member. Browsers obey `no-store`, but
 * Fastly caches an answer for an hour unless the header also has `private`
 * (https://www.fastly.com/documentation/guides/concepts/edge-state/cache/cache-freshness/).
 */
export const uncacheable = "private, no-store";
