/** A hosted image service that browsers upload to directly (specification 7). */
export type ImageHost = {
  /** Browsers upload with these settings. The key is public. */
  browser: { url: string; key: string };
  /** The origins that deliver the host's photos. */
  origins: readonly string[];
  /**
   * Downloads a whole photo or only its first bytes. Throws `UNAVAILABLE` if the host does not
   * deliver in time.
   */
  download(url: URL, part: "start" | "whole"): Promise<Download>;
  /**
   * Uploads a photo and returns its URL. Throws `UNAVAILABLE` if the host does not accept the
   * photo in time.
   */
  upload(jpeg: Buffer): Promise<string>;
};

/** Result of a download: nothing usable, too many bytes, or a file's media type and bytes. */
export type Download = "refused" | "too large" | { type: string; bytes: Buffer };
