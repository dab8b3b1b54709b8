import { expect, onTestFinished, test } from "vitest";
import { createPaymentIntent } from "#contract/payments.ts";
import { cardsOf } from "../testing/cards.ts";
import { bookLaptop, listing, price } from "../testing/marketplace.ts";
import { member } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";

/** Adds up all nodes' requests, as Prometheus does. */
async function countRequests(nodes: Shop[], status: RegExp): Promise<number> {
  const texts = await Promise.all(nodes.map(({ deps }) => deps.metrics.text()));
  const lines = texts
    .join("\n")
    .split("\n")
    .filter((line) => line.startsWith("secondlap_http_requests_total{"))
    .filter((line) => status.test(/status="(\d+)"/.exec(line)?.[1] ?? ""));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

test("health checks on two nodes do not lower the error rate when payments fail", async () => {
  const shop = await openShop({ sandbox: true });
  const nodes = [shop, await openShop({ beside: shop })];
  onTestFinished(async () => {
    for (const node of nodes.toReversed()) await node.close();
  });
  const buyer = await member(shop);
  const seller = await member(shop, { accountType: "seller" });
  const body = { price, bookingId: await bookLaptop(buyer, await listing(seller)) };
  const failNext = { method: "POST", path: "/v1/payment_intents", status: 500, times: 99 };
  await cardsOf(shop).injectFaults({ failNext });
  const before = await countRequests(nodes, /./);

  const probe = async () => {
    for (const { url } of nodes)
      for (const path of ["/healthz", "/readyz"])
        expect((await fetch(url + path)).status).toBe(200);
  };
  for (let second = 0; second < 15; second += 1) await probe();
  const failed = await fetch(`${shop.url}/api${createPaymentIntent.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${await buyer.token()}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(failed.status).toBeGreaterThan(499);

  // The alert SecondlapServerErrors in deploy/prometheus/alerts.yml divides these two counts.
  await expect.poll(() => countRequests(nodes, /^5/)).toBe(1);
  expect((await countRequests(nodes, /./)) - before).toBe(1);
  const { node } = (await shop.deps.metrics.health()) ?? {};
  expect(node?.errors).toBe(1);
  expect(node?.requests).toBeLessThan(50);
});
