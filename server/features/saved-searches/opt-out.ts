import type { OptOut } from "../../email/opt-outs.ts";

/** By the id of the search. */
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
