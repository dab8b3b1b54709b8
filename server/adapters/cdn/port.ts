/** A cache of other machines in front of the shop: a CDN, or Varnish. */
export type Cdn = {
  /** Makes it drop the answers that have one of these tags in their `Surrogate-Key`. Throws if it doesn't say so. */
  purge(tags: readonly string[]): Promise<void>;
};
