/** A cache on other machines in front of the shop: a CDN or Varnish. */
export type Cdn = {
  /**
   * Makes the cache drop all answers with one of these tags in `Surrogate-Key`. Throws unless the
   * cache confirms the purge.
   */
  purge(tags: readonly string[]): Promise<void>;
};
