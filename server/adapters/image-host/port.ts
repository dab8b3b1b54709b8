/** A hosted image service that browsers upload to themselves (specification 7). */
export type ImageHost = {
  /** What browsers upload with; the key is public. */
  browser: { url: string; key: string };
  /** The origins its photos are delivered from. */
  origins: readonly string[];
  /** Downloads a photo, and returns its start or the whole. Throws `UNAVAILABLE` if the host does not deliver it in time. */
  download(url: URL, part: "start" | "whole"): Promise<Download>;
  /** Uploads a photo; returns its address. Throws `UNAVAILABLE` if the host does not take it in time. */
  upload(jpeg: Buffer): Promise<string>;
};

/** What an address answered: nothing usable, more bytes than allowed, or a file's media type and bytes. */
export type Download = "refused" | "too large" | { type: string; bytes: Buffer };
