import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { CallError } from "#contract/client.ts";
import { callsOver, listing } from "#server/testing/marketplace.ts";
import { acknowledge } from "../../faults/load/acknowledged-calls.ts";
import { createSignedInMember } from "../../faults/load/load-clients.ts";
import type { Clients } from "./load.ts";

export async function browse({ url, requests, products, isOver }: Clients): Promise<void> {
  const ask = requests.of("browse");
  const search = requests.of("search");
  const words = ["thinkpad", "thinkpad x1 carbon", "laptop 16gb", "macbook", "gen 9"];
  for (let turn = 0; !isOver(); turn += 1) {
    const product = products[turn % products.length] ?? "";
    const q = encodeURIComponent(words[turn % words.length] ?? "");
    await answered(ask(`${url}/`));
    await answered(ask(`${url}/api/products/byId/${product}`));
    await answered(search(`${url}/api/search?q=${q}`));
    await answered(search(`${url}/search?q=${q}`));
    await answered(ask(`${url}/api/advertisedProducts`));
    await wait(300);
  }
}

/** Creates an account, then signs in with its password every two seconds. */
export async function signIn({ url, requests, isOver }: Clients): Promise<void> {
  const post = (path: string, body: object) =>
    requests.of("sign in")(`${url}/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify(body),
    });
  const password = "A-Long-Passphrase#2026";
  const person = { name: "Ada", email: "ada@example.com", password };
  const created = await post("/sign-up/email", person);
  if (!created.ok) throw new Error(`signing up: ${created.status} ${await created.text()}`);
  while (!isOver()) {
    await answered(post("/sign-in/email", { email: person.email, password }));
    await wait(2_000);
  }
}

export async function followEvents({ url, requests, db, ended }: Clients): Promise<void> {
  const { token } = await createSignedInMember(db, "buyer");
  while (!ended.aborted) {
    const headers = { authorization: `Bearer ${await token()}`, accept: "text/event-stream" };
    await requests.readEvents(`${url}/api/messageEvents`, { headers, signal: ended });
    // A browser waits before reconnecting, too.
    await wait(1_000);
  }
}

export async function sell({ url, requests, db, log, isOver }: Clients): Promise<void> {
  const { token } = await createSignedInMember(db, "seller");
  const connection = { host: `${url}/api`, fetch: requests.of("list"), token };
  while (!isOver()) {
    try {
      // With an idempotency key, as from the browser, a proxy may retry on another node.
      const seller = callsOver({ ...connection, key: randomUUID() });
      acknowledge(log, "list", await listing(seller));
    } catch (error) {
      if (error instanceof CallError && error.status < 500)
        log.wrong.push(`list: ${error.status} ${error.message}`);
    }
    await wait(1_500);
  }
}

export type Save = { member: string; product: string };

/** `stale`: saves missing from a read right after the member's own write. */
export type OwnReads = { count: number; stale: Save[] };

const readsPerWrite = 3;

/** Saves every product in turn for new members, and reads their saved list after each save. */
export async function saveAndRead(clients: Clients): Promise<void> {
  const { db, products, isOver } = clients;
  while (!isOver()) {
    // Creating a member fails while the database is down.
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

export async function lostSaves({ db, saves }: Pick<Clients, "db" | "saves">): Promise<Save[]> {
  const rows = await db.selectFrom("saved_products").select(["member_id", "product_id"]).execute();
  const kept = new Set(rows.map(({ member_id, product_id }) => `${member_id} ${product_id}`));
  return saves.filter(({ member, product }) => !kept.has(`${member} ${product}`));
}

/** Returns undefined without a response, so that the load continues. */
async function answered(asked: Promise<Response>): Promise<Response | undefined> {
  return await asked.catch(() => undefined);
}
