/** Tests use their own clock. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
