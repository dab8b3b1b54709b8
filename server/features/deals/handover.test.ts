import { describe, expect } from "vitest";
import { issueHandoverCode, maxWrongHandoverCodes, readHandover } from "#contract/handover.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";

const test = dealTest();

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}

describe("the handover code", () => {
  test("the handover code isn't stored in plain text, completes the sale, and works only once", async ({
    shop,
  }) => {
    const sale = await deal(shop, "paid");
    // With an Idempotency-Key, the server stores most other responses.
    const code = await sale.newCode("show my code");
    expect(code).toMatch(/^\d{6}$/);
    const { rows } = await shop.pool.query(`
      select to_jsonb(handover_codes)::text as stored from handover_codes
      union all select to_jsonb(idempotency_requests)::text from idempotency_requests
      union all select to_jsonb(idempotency_steps)::text from idempotency_steps
      union all select to_jsonb(audit_log)::text from audit_log`);
    expect(rows.length).toBeGreaterThan(1);
    for (const { stored } of rows) expect(stored).not.toContain(`"${code}"`);
    await sale.enterCode(`${code.slice(0, 3)} ${code.slice(3)}`);
    expect(await sale.order()).toMatchObject({ state: "completed" });
    const subjects = (await emailsTo(shop, sale.buyer)).map(({ subject }) => subject);
    expect(subjects.at(-1)).toMatch(/^You've received/);
    const stale = { status: 409, code: "STALE" };
    expect(await errorOf(sale.enterCode(code))).toMatchObject(stale);
    expect(await errorOf(sale.newCode())).toMatchObject(stale);
  });

  test("a new handover code replaces the earlier code, and concurrent wrong codes share five tries", async ({
    shop,
    admin,
    seller,
    buyer,
  }) => {
    const sale = await deal(shop, "paid", { seller, buyer });
    expect(await errorOf(sale.enterCode("123456"))).toMatchObject({
      code: "WRONG_HANDOVER_CODE",
      message: expect.stringContaining("hasn't asked for a code"),
    });
    const first = await sale.newCode();
    let second = await sale.newCode();
    while (second === first) second = await sale.newCode();
    expect(await errorOf(sale.enterCode(first))).toMatchObject({
      code: "WRONG_HANDOVER_CODE",
    });
    const code = await sale.newCode();
    const tries = Array.from({ length: 10 }, () => errorOf(sale.enterCode(wrong(code))));
    const codes = (await Promise.all(tries)).map((error) => error.code);
    expect(codes.filter((one) => one === "WRONG_HANDOVER_CODE")).toHaveLength(4);
    expect(codes.filter((one) => one === "HANDOVER_CODE_LOCKED")).toHaveLength(6);
    await sale.refund(admin);
    const { rows } = await shop.pool.query("select from handover_codes where booking_id = $1", [
      sale.booking,
    ]);
    expect(rows).toEqual([]);
    expect(await errorOf(sale.enterCode(code))).toMatchObject({ status: 409, code: "STALE" });
  });

  test("a handover code needs six digits, and can't be issued or entered before the laptop is paid for", async ({
    shop,
    seller,
    buyer,
  }) => {
    const sale = await deal(shop, "held", { seller, buyer });
    const stale = { status: 409, code: "STALE" };
    expect(await errorOf(sale.newCode())).toMatchObject(stale);
    for (const code of ["12345", "1234567", "12a456", ""])
      expect(await errorOf(sale.enterCode(code))).toMatchObject({
        status: 400,
        fields: { code: "Enter the six digits that the buyer shows you." },
      });
    expect(await errorOf(sale.enterCode("123456"))).toMatchObject(stale);
  });
});

test("after five wrong tries, only a new handover code is accepted, and only the buyer sees whether the code is locked", async ({
  shop,
}) => {
  const sale = await deal(shop, "held");
  const { seller, buyer } = sale;
  const read = (who: Person) => who.call(readHandover, sale.at);
  expect(await read(buyer)).toMatchObject({ role: "buyer", state: "held", code: null });
  await sale.pay();
  const { code, issuedAt } = await buyer.call(issueHandoverCode, { body: { id: sale.booking } });
  const paid = { role: "buyer", state: "paid", other: seller.name };
  expect(await read(buyer)).toMatchObject({ ...paid, code: { issuedAt, locked: false } });
  const refusals = [];
  for (let tries = 0; tries < maxWrongHandoverCodes; tries += 1)
    refusals.push((await errorOf(sale.enterCode(wrong(code)))).message);
  expect(refusals).toEqual([
    "That isn't the buyer's current code. 4 tries are left.",
    "That isn't the buyer's current code. 3 tries are left.",
    "That isn't the buyer's current code. 2 tries are left.",
    "That isn't the buyer's current code. 1 try is left.",
    "Too many wrong codes. Ask the buyer to show you a new one.",
  ]);
  const right = await errorOf(sale.enterCode(code));
  expect(right).toMatchObject({ status: 409, code: "HANDOVER_CODE_LOCKED" });
  expect(await read(buyer)).toMatchObject({ ...paid, code: { issuedAt, locked: true } });
  expect(await read(seller)).toMatchObject({ role: "seller", other: buyer.name, code: null });
  const stranger = await member(shop);
  expect(await errorOf(read(stranger))).toMatchObject({ status: 404, code: "NOT_FOUND" });
  await sale.enterCode(await sale.newCode());
  expect(await read(seller)).toMatchObject({ state: "completed" });
  expect(await read(buyer)).toMatchObject({ state: "completed", code: null });
});
