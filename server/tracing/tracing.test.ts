import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SpanStatusCode } from "@opentelemetry/api";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { listSellerProducts } from "#contract/products.ts";
import { deal } from "../testing/deal.ts";
import { waitForMail } from "../testing/inbox.ts";
import { listing } from "../testing/marketplace.ts";
import { member } from "../testing/people.ts";
import { openShop } from "../testing/shop.ts";

async function openTracedShop(ratio = "1", more = {}) {
  const collector = await startTraceCollector();
  onTestFinished(() => collector.close());
  const shop = await openShop({
    sandbox: ratio === "1",
    worker: ratio === "1",
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: ratio, ...more },
  });
  return { shop, spans: collector.spans };
}

function attributeOf({ attributes }: ReceivedSpan, name: string): string | undefined {
  return attributes.find(({ key }) => key === name)?.value.stringValue;
}

test("a request, its queries and its provider calls form one trace, and jobs carry the request's id", async () => {
  const { shop, spans } = await openTracedShop();
  const seller = await member(shop, { accountType: "seller" });
  await deal(shop, "held", { seller, product: await listing(seller) });
  await seller.call(listSellerProducts, { params: { email: seller.email } });
  await waitForMail(shop, seller.email);
  await sql`alter table categories rename to other_categories`.execute(shop.deps.db);
  expect((await fetch(`${shop.url}/api/categories?limit=7`)).status).toBe(500);
  await shop.close();

  const payment = spans.find(({ name }) => name === "POST /api/create-payment-intent");
  const parts = spans.filter(({ traceId }) => traceId === payment?.traceId);
  const names = new Set(parts.map(({ name }) => name));
  expect([...names]).toEqual(expect.arrayContaining(["SELECT", "UPDATE", "call cards"]));
  for (const part of parts)
    if (part !== payment) expect(part.parentSpanId, part.name).toBe(payment?.spanId);

  const hold = spans.find(({ name }) => name === "POST /api/bookingProducts");
  const id = hold && attributeOf(hold, "secondlap.request_id");
  const jobs = spans.filter(({ name }) => name === "job sendMail");
  expect(jobs.map((job) => attributeOf(job, "secondlap.request_id"))).toContain(id);

  const failed = spans.findLast(({ name }) => name === "GET /api/categories");
  expect(failed).toMatchObject({ status: { code: SpanStatusCode.ERROR } });

  expect(spans.map(({ name }) => name)).toContain("GET /api/products/:email");
  // Members' data must not leave the machine.
  const sent = JSON.stringify(spans);
  for (const value of [seller.email, encodeURIComponent(seller.email)])
    expect(sent.includes(value), value).toBe(false);
});

test("a traceparent header has a request traced only if a trusted proxy sends it and OTEL_PROPAGATORS allows it", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const reading = { OTEL_PROPAGATORS: "tracecontext" };
  for (const [env, traced] of [
    [{ ...reading, TRUST_PROXY: "loopback" }, [traceId]],
    [{ ...reading, TRUST_PROXY: "10.0.0.1" }, []],
    // Without OTEL_PROPAGATORS, traceparent is ignored, because proxies forward visitors' headers.
    [{ TRUST_PROXY: "loopback" }, []],
  ] as const) {
    const { shop, spans } = await openTracedShop("0", env);
    // A cached answer would make no spans.
    const url = `${shop.url}/api/search?q=laptop`;
    await fetch(url);
    await fetch(url, { headers });
    await shop.close();
    expect([...new Set(spans.map((span) => span.traceId))]).toEqual(traced);
  }
});

test("a shop whose trace collector is down still answers requests and shuts down", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_TRACES_SAMPLER_ARG: "1" };
  const shop = await openShop({ env });
  expect((await fetch(`${shop.url}/api/categories`)).status).toBe(200);
  await shop.close();
});

/** See https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding. */
type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number; message?: string };
};

type Received = { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };

async function startTraceCollector() {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request)) as Received;
    const scopes = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
    if (request.url === "/v1/traces") spans.push(...scopes.flatMap((scope) => scope.spans));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
