import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { CallError } from "#contract/client.ts";
import { callsOver, listing } from "#server/testing/marketplace.ts";
import { acknowledge } from "../../faults/load/acknowledged-calls.ts";
import { createSignedInMember } from "../../faults/load/load-clients.ts";
import type { Clients } from "./load.ts";

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
