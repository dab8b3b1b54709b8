/** A hosted image service that browsers upload to themselves (specification 7). */
export type ImageHost = {
  /** What browsers upload with; the key is public. */
  browser: { url: string; key: string };
  /** The origins its photos are delivered from. */
  origins: readonly string[];
  /** Downloads a photo to check it. Throws `UNAVAILABLE` if the host does not deliver it in time. */
  download(url: URL): Promise<Download>;
};

/** What an address answered: nothing usable, more bytes than allowed, or a file's media type and first bytes. */
export type Download = "refused" | "too large" | { type: string; start: Buffer };
