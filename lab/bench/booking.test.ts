import { expect, test } from "vitest";
import { openDatabase } from "../../server/db/database.ts";
import { createTestDatabase } from "../../server/testing/create-test-database.ts";
import { openVerb } from "./booking.mjs";
import { createOrders } from "./booking-orders.mjs";

test("the benchmark's booking call holds the laptop", async () => {
  const url = await createTestDatabase("bench_booking");
  const { pool } = openDatabase(url, { connections: 1 });
  const [order] = (await createOrders(pool, 1))(1);
  const { book, close } = openVerb(url, 1);
  if (!order) throw new Error("no order");
  await book(order);
  const { rows } = await pool.query("select product_id, state from bookings");
  expect(rows).toEqual([{ product_id: order.product, state: "held" }]);
  await close();
  await pool.end();
});
