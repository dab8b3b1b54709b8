const hour = 3_600_000;

/** How long after each failure a refund is tried again; after one more, an admin has to see to it. */
export const retryDelaysMs = [hour, 24 * hour];

/** From this many failures on, only an admin starts another attempt. */
export const maxFailedRefunds = retryDelaysMs.length + 1;
