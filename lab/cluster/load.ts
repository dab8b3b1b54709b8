import type pg from "pg";
import { systemClock } from "#server/clock.ts";
import { type Database, openDatabase } from "#server/db/database.ts";
import { type CardProvider, cardProvider } from "#server/testing/cards.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { type CallLog, newCallLog } from "../../faults/load/acknowledged-calls.ts";
import { createLoadClients, createSignedInMember } from "../../faults/load/load-clients.ts";
import {
  browse,
  followEvents,
  type OwnReads,
  type Save,
  saveAndRead,
  sell,
  signIn,
} from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import { Requests } from "./requests.ts";

export type Clients = {
  url: string;
  requests: Requests;
  /** Laptops that are never booked. */
  products: string[];
  db: Database["db"];
  log: CallLog;
  saves: Save[];
  ownReads: OwnReads;
  isOver: () => boolean;
  ended: AbortSignal;
};

export type Load = Clients & { pool: pg.Pool; desk: CardProvider; close(): Promise<void> };

export async function openLoad(cluster: Cluster): Promise<Load> {
  const { pool, db } = openDatabase(cluster.directUrl, {
    connections: 4,
    statementTimeoutMs: 5_000,
  });
  const desk = cardProvider(cluster.sandboxUrl);
  const seller = await createSignedInMember(db, "seller");
  const products: string[] = [];
  const place = { deps: { db, clock: systemClock } };
  for (let n = 0; n < 150; n += 1) products.push(await insertLaptop(place, seller));
  return {
    url: cluster.url,
    requests: new Requests(),
    products,
    db,
    pool,
    desk,
    log: newCallLog(),
    saves: [],
    ownReads: { count: 0, stale: [] },
    isOver: () => false,
    ended: new AbortController().signal,
    close: () => pool.end(),
  };
}

function isHold(input: Parameters<typeof fetch>[0], init: RequestInit = {}): boolean {
  return init.method === "POST" && String(input).endsWith("/api/bookingProducts");
}

export async function runLoad(load: Load, during: () => Promise<unknown>): Promise<void> {
  const { db, desk, log, requests, url } = load;
  const deals = await createLoadClients(
    {
      db,
      desk,
      log,
      url,
      seed: 1,
      refunds: true,
      pauseMs: 500,
      // Holds have their own kind, because only a hold may fail when another buyer was faster.
      fetch: (input, init) => requests.of(isHold(input, init) ? "hold" : "deal")(input, init),
    },
    4,
  );
  const ending = new AbortController();
  const { signal: ended } = ending;
  const clients = { ...load, isOver: () => ended.aborted, ended };
  await deals.runLoad(async () => {
    const others = [
      browse,
      browse,
      signIn,
      sell,
      saveAndRead,
      saveAndRead,
      followEvents,
      followEvents,
    ];
    const running = Promise.all(others.map((client) => client(clients)));
    // A client that ends early has failed, so the load ends.
    await Promise.race([during(), running]).finally(() => ending.abort());
    await running;
  });
}
