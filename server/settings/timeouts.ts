/** How long clients may take, in milliseconds. */
export type HttpTimeouts = {
  headers: number;
  body: number;
  /** The time to upload a photo, or to send any whole request. */
  upload: number;
  /** The time for a client to finish sending its body after the response. */
  afterResponse: number;
  /** The time between two requests on a connection. */
  idle: number;
  /** The time without any byte on a connection, in either direction. */
  silence: number;
  /** How often connections are checked for `headers` and `upload`. */
  check: number;
  /** How often the minimum rate of an upload is checked. */
  uploadRateWindow: number;
  /** The interval between heartbeats on an event stream. */
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

/** How long hosted services may take, in milliseconds. */
export type ProviderTimeouts = {
  /** The time for one attempt of a call to the card provider. A failed attempt is retried once. */
  cards: number;
  /** The time for one request to a sign-in provider. */
  signIn: number;
  /** The time to download a photo from the image host. */
  imageHost: number;
  /** The times to connect to S3, for one attempt, and for all attempts of a call together. */
  s3: { connect: number; attempt: number; total: number };
  /** The times to connect to the mail server, until its greeting, and between two replies. */
  mail: { connectionTimeout: number; greetingTimeout: number; socketTimeout: number };
};

export const providerTimeouts: ProviderTimeouts = {
  cards: 5_000,
  signIn: 5_000,
  imageHost: 5_000,
  s3: { connect: 2_000, attempt: 5_000, total: 12_000 },
  mail: { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
};
