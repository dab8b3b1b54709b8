import type { JobName } from "../db/job-queue.ts";

/** When jobs run by themselves. Failed ones are tried again after e, e², … e¹⁰ seconds: eleven times within ten hours. */
const schedule: Partial<Record<JobName, { at: string; attempts: number }>> = {
  reconcile: { at: "* * * * *", attempts: 1 },
  settleDeals: { at: "* * * * *", attempts: 1 },
  freeLostJobs: { at: "* * * * *", attempts: 1 },
  foldOverviewDeltas: { at: "* * * * *", attempts: 1 },
  foldSearchCounts: { at: "* * * * *", attempts: 1 },
  indexListings: { at: "* * * * *", attempts: 1 },
  refreshVocabulary: { at: "*/10 * * * *", attempts: 1 },
  mailSavedProducts: { at: "* * * * *", attempts: 1 },
  mailSavedSearches: { at: "* * * * *", attempts: 1 },
  reconcileLedger: { at: "29 4 * * *", attempts: 3 },
  mailMessages: { at: "* * * * *", attempts: 1 },
  reviewSteps: { at: "* * * * *", attempts: 1 },
  rewardInvitations: { at: "* * * * *", attempts: 1 },
  expireCredits: { at: "33 * * * *", attempts: 3 },
  refreshFairPrices: { at: "41 3 * * *", attempts: 3 },
  cleanUp: { at: "17 * * * *", attempts: 3 },
  // The backup of the night holds the partitions for hours.
  keepAuditLog: { at: "47 2 * * *", attempts: 11 },
  keepProductViews: { at: "52 2 * * *", attempts: 11 },
};

/** By its key each run replaces the one before of the same task, also if that was given up. */
export const crontab = Object.entries(schedule)
  .map(([task, { at, attempts }]) => `${at} ${task} ?max=${attempts}&jobKey=${task}`)
  .join("\n");
