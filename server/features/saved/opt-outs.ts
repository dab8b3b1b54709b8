import type { OptOut } from "../../email/opt-outs.ts";

/** Opt-out from emails about saved laptops, identified by the member's id. */
export const savedProductOptOut: OptOut = {
  async hasStopped(tx, memberId) {
    const wanted = await tx
      .selectFrom("saved_product_settings")
      .select("member_id")
      .where("member_id", "=", memberId)
      .where("emails", "=", true)
      .executeTakeFirst();
    return wanted === undefined;
  },
  async stop(tx, memberId) {
    await tx
      .updateTable("saved_product_settings")
      .set({ emails: false })
      .where("member_id", "=", memberId)
      .execute();
  },
};

/** Opt-out from emails about a saved search, identified by the search's id. */
export const savedSearchOptOut: OptOut = {
  async hasStopped(tx, id) {
    const wanted = await tx
      .selectFrom("saved_searches")
      .select("id")
      .where("id", "=", id)
      .where("frequency", "<>", "never")
      .executeTakeFirst();
    return wanted === undefined;
  },
  async stop(tx, id) {
    await tx
      .updateTable("saved_searches")
      .set({ frequency: "never" })
      .where("id", "=", id)
      .execute();
  },
};
