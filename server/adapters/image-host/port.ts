/** A hosted image service that browsers upload to directly (specification 7). */
export type ImageHost = {
  /** Browsers upload with these settings. The key is public. */
  browser: { url: string; key: string };
  /** The origins its photos are delivered from. */
  origins: readonly string[];
  /**
   * Downloads a photo and returns all of it or only its start. Throws `UNAVAILABLE` if the host
   * does not deliver it in time.
   */
  download(url: URL, part: "start" | "whole"): Promise<Download>;
  /**
   * Uploads a photo and returns its address. Throws `UNAVAILABLE` if the host does not accept it in
   * time.
   */
  upload(jpeg: Buffer): Promise<string>;
};

/** The answer: nothing usable, more bytes than allowed, or a file's media type and bytes. */
export type Download = "refused" | "too large" | { type: string; bytes: Buffer };
