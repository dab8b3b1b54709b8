/** A cache on other machines in front of the shop: a CDN or Varnish. */
export type Cdn = {
  /**
   * Makes it drop the answers with one of these tags in their `Surrogate-Key`. Throws unless it
   * confirms that.
   */
  purge(tags: readonly string[]): Promise<void>;
};
