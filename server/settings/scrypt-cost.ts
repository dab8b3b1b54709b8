export type ScryptCost = { N: number; r: number; p: number };

/** From OWASP's Password Storage Cheat Sheet: 128 MB and about half a second per hash. */
export const owaspScrypt: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };

/** A low cost for tests, which sign in hundreds of times. */
export const quickScrypt: ScryptCost = { N: 16, r: 8, p: 1 };
