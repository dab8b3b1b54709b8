import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuditEntry, listAuditLog } from "#contract/audit.ts";
import type { Request } from "#contract/call.ts";
import { deleteReport, listReports, reportProduct } from "#contract/reports.ts";
import { openBrowser, signUpAt } from "../../testing/browser.ts";
import { queuedEmails, tokenIn } from "../../testing/inbox.ts";
import { listing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { offerPasswordReset } from "../identity/identity-hooks.ts";

let shop: Shop;
let [admin, seller, buyer]: Person[] = [];
let product: string;

beforeAll(async () => {
  shop = await openShop();
  admin = await member(shop, { isAdmin: true });
  seller = await member(shop, { accountType: "seller" });
  buyer = await member(shop);
  product = await listing(seller);
  const body = { comment: "Stolen, I think.", reportProduct: { _id: product } };
  await buyer.call(reportProduct, { body });
  const [report] = await admin.call(listReports, {});
  await admin.call(deleteReport, { params: { id: report?._id ?? "" } });
});
afterAll(() => shop.close());

type Query = NonNullable<Request<typeof listAuditLog>["query"]>;

async function read(query: Query): Promise<AuditEntry[]> {
  return (await admin?.call(listAuditLog, { query })) ?? [];
}

const verbs = (entries: AuditEntry[]) => entries.map(({ verb }) => verb);

describe("the audit log", () => {
  test("§10.22: the audit log lists actor, action and object, newest first", async () => {
    const entries = await read({});
    expect(verbs(entries)).toEqual(["close", "report", "list", "upload"]);
    expect(entries[0]).toMatchObject({
      actor: { _id: admin?.id, name: admin?.name, email: admin?.email },
      object: "report",
      objectName: "ThinkPad X1 Carbon Gen 9",
    });
    expect(entries[1]).toMatchObject({ actor: { email: buyer?.email }, objectId: product });
    expect(entries[3]).toMatchObject({ object: "image", objectName: null });
  });

  test("§10.22: the audit log can be filtered by member, kind of object, and object", async () => {
    expect(verbs(await read({ email: ` ${seller?.email.toUpperCase()}` }))).toEqual([
      "list",
      "upload",
    ]);
    expect(await read({ email: "nobody@example.com" })).toEqual([]);
    expect(verbs(await read({ object: "product" }))).toEqual(["report", "list"]);
    expect(verbs(await read({ objectId: product }))).toEqual(["report", "list"]);
    expect(verbs(await read({ objectId: product, email: buyer?.email }))).toEqual(["report"]);
    expect(await read({ object: "payment" })).toEqual([]);
  });

  test("a filtered audit log can be read page by page", async () => {
    const query = { limit: 1, object: "product" } as const;
    const first = await admin?.send(listAuditLog, { query });
    expect(verbs(first?.body ?? [])).toEqual(["report"]);
    const second = await admin?.send(listAuditLog, { query: { ...query, cursor: first?.next } });
    expect(verbs(second?.body ?? [])).toEqual(["list"]);
    expect(second?.next).toBeUndefined();
    const page = async (limit: number) => {
      const authorization = `Bearer ${await admin?.token()}`;
      const address = `${shop.url}/api/auditLog?limit=${limit}&object=product`;
      const { headers } = await fetch(address, { headers: { authorization } });
      return [headers.get("link"), headers.get("x-total-count")];
    };
    expect(await page(1)).toEqual([
      expect.stringContaining("?limit=1&object=product&cursor="),
      null,
    ]);
    const [none, total] = await page(100);
    expect(none).toBeNull();
    expect(Number(total)).toBeGreaterThan(1);
  });

  test("an invalid audit log filter or cursor is rejected", async () => {
    for (const query of [{ object: "secret" }, { objectId: "1" }, { cursor: "1 or 1=1" }]) {
      const refused = await errorOf(read(query as Query));
      expect(refused).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    }
  });

  test("resetting a password through an emailed link is recorded in the audit log", async () => {
    const email = "ada@example.com";
    await signUpAt(shop.url, email, "buyer");
    await offerPasswordReset(shop.deps, email);
    const [newest] = (await queuedEmails(shop)).reverse();
    const token = tokenIn(newest ?? { text: "" });
    const set = (newPassword: string) =>
      openBrowser(shop.url).post("/reset-password", { token, newPassword });
    expect((await set("weak")).status).toBe(400);
    expect((await set("Another#2027")).status).toBe(200);
    expect(verbs(await read({ email }))).toEqual(["reset password", "join"]);
  });

  test.each([
    "update audit_log set verb = 'nothing'",
    "delete from audit_log",
    "truncate audit_log",
  ])("the database rejects a change to the audit log: %s", async (statement) => {
    const before = await read({});
    const tried = sql.raw(statement).execute(shop.deps.db);
    await expect(tried).rejects.toThrow("The audit log is append-only.");
    expect(await read({})).toEqual(before);
  });
});
