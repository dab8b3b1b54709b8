/** How long clients may take, in milliseconds. */
export type HttpTimeouts = {
  headers: number;
  body: number;
  /** For the upload of a photo, or for any whole request. */
  upload: number;
  /** For the rest of a body after the request was answered. */
  afterResponse: number;
  /** Between two requests on a connection. */
  idle: number;
  /** Without any byte in either direction. */
  silence: number;
  /** How often connections are checked for `headers` and `upload`. */
  check: number;
  /** How often the minimum rate of an upload is checked. */
  uploadRateWindow: number;
  /** Interval of heartbeats on an event stream. */
  heartbeat: number;
  /** How often the session of an event stream is checked. */
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
