import { setTimeout as wait } from "node:timers/promises";
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

/** Signs in with a password, again and again. */
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

/** Reconnects when the page's node stops. */
export async function followEvents({ url, requests, db, ended }: Clients): Promise<void> {
  const { token } = await createSignedInMember(db, "buyer");
  while (!ended.aborted) {
    const headers = { authorization: `Bearer ${await token()}`, accept: "text/event-stream" };
    await requests.readEvents(`${url}/api/messageEvents`, { headers, signal: ended });
    // A browser waits before reconnecting, too.
    await wait(1_000);
  }
}

/** Undefined without a response, so that the load continues. */
export async function answered(asked: Promise<Response>): Promise<Response | undefined> {
  return await asked.catch(() => undefined);
}
