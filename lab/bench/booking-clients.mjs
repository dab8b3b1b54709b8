import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { priceCents } from "./booking-orders.mjs";

/** Bare `pg`, the floor for the other clients: claim, booking and job in one transaction. */
export function bareClient(pool) {
  return async ({ buyer, product }) => {
    const client = await pool.connect();
    try {
      const [, { rowCount }] = await Promise.all([
        client.query("begin"),
        client.query(claim, [product, priceCents]),
      ]);
      if (rowCount !== 1) throw new Error("The laptop is taken.");
      const id = randomUUID();
      const now = Date.now();
      const held = [id, product, buyer, priceCents, new Date(now), new Date(now + 86_400_000)];
      await client.query(insertBooking, held);
      await client.query(insertJob, ["expireHold", { bookingId: id }, new Date(now + 86_400_000)]);
      await client.query("commit");
    } finally {
      client.release();
    }
  };
}

const claim = `update products set sales_status = 'booked'
  where id = $1 and deleted_at is null and sales_status = 'available' and resale_cents = $2`;
const insertBooking = `insert into bookings
  (id, product_id, buyer_id, price_cents, phone, location, state, booked_at, held_until)
  values ($1, $2, $3, $4, '5550123', 'Station', 'held', $5, $6)`;
const insertJob = "insert into job_outbox (task, payload, run_at) values ($1, $2, $3)";

/** Calls the server's function in this process. */
export function verbClient(bookProduct, deps) {
  return async ({ buyer, name, email, product }) => {
    const order = { price: priceCents / 100, phone: "5550123", location: "Station", network: null };
    const member = { id: buyer, name, email, confirmed: true };
    await bookProduct(deps, member, { ...order, bookingProduct: { _id: product } });
  };
}

/** Opens as many connections as there are clients. */
export function httpClient(site, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return async ({ product, token }) => {
    const body = JSON.stringify({
      price: priceCents / 100,
      phone: "5550123",
      location: "Station",
      bookingProduct: { _id: product },
    });
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const response = await new Promise((resolve, reject) => {
      const options = { agent, method: "POST", headers };
      request(`${site}/api/bookingProducts`, options, resolve).on("error", reject).end(body);
    });
    const answer = await buffer(response);
    if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${answer}`);
  };
}
