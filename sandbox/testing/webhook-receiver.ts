import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { afterAll } from "vitest";

type ThinEvent = {
  object: "v2.core.event";
  id: string;
  type: string;
  context: string;
  related_object: { id: string; type: string; url: string };
};

/** Starts a server that checks signatures and, by default, sends 200. Closes after the tests. */
export async function startWebhookReceiver() {
  const events: Stripe.Event[] = [];
  const thinEvents: ThinEvent[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const payload = await text(request);
    const signature = String(request.headers["stripe-signature"]);
    const { object } = JSON.parse(payload) as { object: string };
    if (object === "event")
      events.push(Stripe.webhooks.constructEvent(payload, signature, "whsec_sandbox"));
    else {
      Stripe.webhooks.signature?.verifyHeader(payload, signature, "whsec_sandbox_connect", 300);
      thinEvents.push(JSON.parse(payload) as ThinEvent);
    }
    response.writeHead(statuses.shift() ?? 200).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks/stripe`,
    /** All delivery attempts of version 1 events, in order of arrival. */
    events,
    /** All delivery attempts of version 2 events. */
    thinEvents,
    about: (id: string) =>
      events.filter((event) => "id" in event.data.object && event.data.object.id === id),
    respondNext: (...next: number[]) => statuses.push(...next),
  };
}
