/** How long clients may take, in milliseconds. */
export type HttpTimeouts = {
  headers: number;
  body: number;
  /** Of a photo, or of any request in all. */
  upload: number;
  /** The rest of a body whose request was answered. */
  afterResponse: number;
  /** Between two requests of a connection. */
  idle: number;
  /** Without any byte in either direction. */
  silence: number;
  /** How often connections are checked for `headers` and `upload`. */
  check: number;
  /** How often the minimum rate of an upload is checked. */
  uploadRateWindow: number;
  /** Between two signs of life on a stream of events. */
  heartbeat: number;
  /** How often the session of a stream is checked. */
  sessionCheck: number;
};

export const httpTimeouts: HttpTimeouts = {
  headers: 5_000,
  body: 6_000,
  upload: 120_000,
  afterResponse: 2_000,
  idle: 6_000,
  silence: 60_000,
  check: 1_000,
  uploadRateWindow: 8_000,
  heartbeat: 20_000,
  sessionCheck: 60_000,
};
