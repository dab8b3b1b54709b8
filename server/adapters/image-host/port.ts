/** A hosted image service that browsers upload to directly (specification 7). */
export type ImageHost = {
  /** The key is public. */
  browser: { url: string; key: string };
  /** The origins that deliver the host's photos. */
  origins: readonly string[];
  /** Throws `UNAVAILABLE` if the host fails to send a photo. */
  download(url: URL, part: "start" | "whole"): Promise<Download>;
  /** Returns the photo's URL. Throws `UNAVAILABLE` if the upload fails. */
  upload(jpeg: Buffer): Promise<string>;
};

/** `refused`: a disallowed address, or an error such as 404. */
export type Download = "refused" | "too large" | { type: string; bytes: Buffer };
