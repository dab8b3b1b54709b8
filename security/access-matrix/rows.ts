import { randomUUID } from "node:crypto";
import type { Table } from "#contract/all-calls.ts";
import { embeddedImageHost } from "#contract/images.ts";
import { defaultSettings } from "#contract/shop-settings.ts";
import type { Deps } from "#server/deps.ts";
import { publishSettings, readShopSettings } from "#server/features/shop-settings/shop-settings.ts";
import { dealRows, offerRows, reviewRows } from "./deal-rows.ts";
import { listingRows, savedRows } from "./listing-rows.ts";
import { memberRows } from "./member-rows.ts";
import { messageRows } from "./message-rows.ts";
import { nothing, type Row, type Rows, uploadedPhoto } from "./row.ts";

const rows: Rows = {
  ...memberRows,
  ...listingRows,
  ...savedRows,
  ...messageRows,
  ...dealRows,
  ...offerRows,
  ...reviewRows,
  correctDifference: {
    ask: async ({ shop: { deps, clock } }) => {
      const [reference, at, amount_cents] = [`re_${randomUUID()}`, clock.now(), "100"];
      const moved = { type: "adjustment", amount_cents, fee_cents: "0" };
      await deps.db
        .insertInto("balance_transactions")
        .values({ id: reference, reference, ...moved })
        .execute();
      const cents = { provider_cents: amount_cents, ledger_cents: "0" };
      await deps.db
        .insertInto("ledger_differences")
        .values({ reference, ...cents, found_at: at })
        .execute();
      return { body: { reference, amount: 1, account: "platform_loss", reason: "A test charge." } };
    },
  },
  readPageText: { ask: async () => ({ query: { path: "/terms" } }) },
  previewEmail: { ask: async () => ({ body: { name: "payout-sent", send: true } }) },
  saveShopDraft: { ask: async ({ shop: { deps } }) => ({ body: await newestSettings(deps) }) },
  publishShopSettings: {
    ask: async ({ shop: { deps } }) => ({ body: await newestSettings(deps) }),
  },
  restoreShopVersion: {
    ask: async ({ shop: { deps } }, { id: actor }) => {
      const { number: basedOn } = await readShopSettings(deps.db);
      await publishSettings(deps, { actor, settings: defaultSettings, basedOn });
      const { versions } = await readShopSettings(deps.db);
      return { body: { _id: versions[0]?._id ?? "" } };
    },
  },
  listJournals: { ask: async () => ({ query: { search: "pi_unknown" } }) },
  uploadImage: {
    ask: async () => ({ ...(await uploadedPhoto()), query: { key: embeddedImageHost.key } }),
  },
};

/** Returns the call's row. A call without a row is sent without parameters or body. */
export function rowOf(name: keyof Table): Row {
  return rows[name] ?? { ask: nothing };
}

/** Returns settings as sent by an owner who saw the newest version and draft. */
async function newestSettings({ db }: Deps) {
  const { number: basedOn, draftRevision: over } = await readShopSettings(db);
  return { settings: defaultSettings, basedOn, over };
}
