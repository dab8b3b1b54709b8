import type { FastifyInstance } from "fastify";
import { parseFormBodies } from "../form-encoding.ts";
import { html, page, sendPage } from "../html.ts";
import { advanceClock } from "./advance-clock.ts";
import { timestamp } from "./clock.ts";
import type { Store } from "./store.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";

const path = "/stripe/clock";
const daySeconds = 24 * 60 * 60;

type Deps = { store: Store; dispatcher: WebhookDispatcher };

/** Serves a page on which people trying out the shop can advance the provider's clock by a day. */
export async function clockPage(app: FastifyInstance, { store, dispatcher }: Deps): Promise<void> {
  parseFormBodies(app);
  app.get(path, async (_request, reply) => sendPage(reply, clock()));
  app.post(path, async (request, reply) => {
    // Rejects requests from other sites, which must not advance the clock.
    if (request.headers.origin !== `http://${request.headers.host}`) return reply.code(403).send();
    advanceClock(store, daySeconds);
    dispatcher.wake();
    return reply.redirect(path, 303);
  });
}

function clock(): string {
  const now = timestamp();
  const body = html`<main>
    <h1>The card provider’s clock</h1>
    <p>It is <time datetime="${now}">${now.slice(0, 16).replace("T", " ")} UTC</time> here.</p>
    <form method="post"><button>Move it a day on</button></form>
    <p class="note">What the shop has sent to a seller goes to their bank once a day, when it is two
      days old, and takes two more days. The shop’s own clock stays as it is.</p>
    <p><a href="/mail">Mail inbox</a></p>
  </main>`;
  return page({ title: "Clock (sandbox)", style: "/mail/inbox.css", body });
}
