import { setTimeout as wait } from "node:timers/promises";
import { createSignedInMember } from "../../faults/load/load-clients.ts";
import type { Clients } from "./load.ts";
import { answered } from "./visitors.ts";

export type Save = { member: string; product: string };

/** `stale`: saves missing from a read right after the member's own write. */
export type OwnReads = { count: number; stale: Save[] };

const readsPerWrite = 3;

/** New members save every product in turn, and read their saved list after each save. */
export async function saveAndRead(clients: Clients): Promise<void> {
  const { db, products, isOver } = clients;
  while (!isOver()) {
    // Sign-up fails while the database is down.
    const member = await createSignedInMember(db, "buyer").catch(() => wait(200));
    if (!member) continue;
    for (const product of products) {
      if (isOver()) return;
      await saveOne(clients, member, product);
      await wait(100);
    }
  }
}

async function saveOne(
  { url, requests, saves, ownReads }: Clients,
  { id, token }: { id: string; token: () => Promise<string> },
  product: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${await token()}` };
  const path = `${url}/api/savedProducts`;
  const put = requests.of("save")(`${path}/${product}`, { method: "PUT", headers });
  if ((await answered(put))?.status !== 200) return;
  const save = { member: id, product };
  saves.push(save);
  for (let n = 0; n < readsPerWrite; n += 1) {
    const answer = await answered(requests.of("own read")(`${path}/ids`, { headers }));
    if (answer?.status !== 200) continue;
    ownReads.count += 1;
    const { ids } = (await answer.json()) as { ids: string[] };
    if (!ids.includes(product)) ownReads.stale.push(save);
  }
}

/** Acknowledged saves that are missing from the database. */
export async function lostSaves({ db, saves }: Pick<Clients, "db" | "saves">): Promise<Save[]> {
  const rows = await db.selectFrom("saved_products").select(["member_id", "product_id"]).execute();
  const kept = new Set(rows.map(({ member_id, product_id }) => `${member_id} ${product_id}`));
  return saves.filter(({ member, product }) => !kept.has(`${member} ${product}`));
}
