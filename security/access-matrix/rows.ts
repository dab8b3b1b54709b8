import { embeddedImageHost } from "#contract/images.ts";
import type { Table } from "#contract/table.ts";
import { dealRows } from "./deal-rows.ts";
import { listingRows } from "./listing-rows.ts";
import { memberRows } from "./member-rows.ts";
import { messageRows } from "./message-rows.ts";
import { offerRows } from "./offer-rows.ts";
import { reviewRows } from "./review-rows.ts";
import { nothing, type Row } from "./row.ts";
import { savedRows } from "./saved-rows.ts";
import { uploadedPhoto } from "./uploaded-photo.ts";

/** One row per call of the contract. */
export const rows: Record<keyof Table, Row> = {
  ...memberRows,
  ...listingRows,
  ...savedRows,
  ...messageRows,
  ...dealRows,
  ...offerRows,
  ...reviewRows,
  readLedger: { ask: nothing },
  readHealth: { ask: nothing },
  retryJobs: { ask: nothing },
  listJournals: { ask: async () => ({ query: { search: "pi_unknown" } }) },
  listAuditLog: { ask: nothing },
  readSellerOverview: { ask: nothing },
  readAdminOverview: { ask: nothing },
  uploadImage: {
    ask: async () => ({ ...(await uploadedPhoto()), query: { key: embeddedImageHost.key } }),
  },
  readConfig: { ask: nothing },
  readOpenApi: { ask: nothing },
  isHealthy: { ask: nothing },
  isReady: { ask: nothing },
};
