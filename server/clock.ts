/** The time, as the program sees it; a test sets its own. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
