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
