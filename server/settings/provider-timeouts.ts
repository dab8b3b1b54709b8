/** How long hosted services may take, in milliseconds. */
export type ProviderTimeouts = {
  /** One attempt of a call to the card provider; a failed one is repeated once. */
  cards: number;
  /** One request to a sign-in provider. */
  signIn: number;
  /** The download of a photo from the image host. */
  imageHost: number;
  /** To connect, until an attempt is given up, and of all attempts of a call together. */
  s3: { connect: number; attempt: number; total: number };
  /** To connect, until the mail server greets, and between two of its answers. */
  mail: { connectionTimeout: number; greetingTimeout: number; socketTimeout: number };
};

export const providerTimeouts: ProviderTimeouts = {
  cards: 5_000,
  signIn: 5_000,
  imageHost: 5_000,
  s3: { connect: 2_000, attempt: 5_000, total: 12_000 },
  mail: { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
};
