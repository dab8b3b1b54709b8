/** Timeouts and intervals for clients' connections, in milliseconds. */
export const httpTimeouts = {
  headers: 5_000,
  body: 6_000,
  /** The time to upload a photo, or to send any whole request. */
  upload: 120_000,
  /** The time for a client to finish sending its body after the response. */
  afterResponse: 2_000,
  /** The time between two requests on a connection. */
  idle: 6_000,
  /** The time without any byte on a connection, in either direction. */
  silence: 60_000,
  /** How often connections are checked for `headers` and `upload`. */
  check: 1_000,
  uploadRateWindow: 8_000,
  /** The interval between heartbeats on an event stream. */
  heartbeat: 20_000,
  sessionCheck: 60_000,
};

/** How long hosted services may take, in milliseconds. */
export const providerTimeouts = {
  /** The time for one attempt to call the card provider. */
  cards: 5_000,
  signIn: 5_000,
  imageHost: 5_000,
  /** `total` covers all of a call's attempts. */
  s3: { connect: 2_000, attempt: 5_000, total: 12_000 },
  mail: { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
};

export type ProviderTimeouts = typeof providerTimeouts;
