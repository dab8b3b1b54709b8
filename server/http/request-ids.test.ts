import type { FastifyBaseLogger } from "fastify";
import { expect, test, vi } from "vitest";
import { bookLaptop, listing } from "../testing/marketplace.ts";
import { member } from "../testing/people.ts";
import { openShop } from "../testing/shop.ts";
import { startTestSmtpServer } from "../testing/smtp-server.ts";

type Line = { reqId?: string; task?: string; change?: { verb: string } };

test("a request's id appears in the log lines for its changes and jobs, and in the emails that those jobs send", async () => {
  const server = await startTestSmtpServer();
  const SMTP_URL = `smtp://127.0.0.1:${server.port}`;
  const shop = await openShop({ worker: true, env: { SMTP_URL, MAIL_FROM: "a@b.example" } });
  const info = vi.spyOn(shop.app.log as FastifyBaseLogger, "info");
  const seller = await member(shop, { accountType: "seller" });
  await bookLaptop(await member(shop), await listing(seller));
  await expect.poll(() => server.messages.length).toBe(2);
  const lines = () => info.mock.calls.map(([line]) => line as Line);
  const hold = lines().find(({ change }) => change?.verb === "hold");
  expect(hold?.reqId).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/);
  for (const message of server.messages) expect(message).toContain(`X-Request-ID: ${hold?.reqId}`);
  const sent = () => lines().filter(({ task }) => task === "sendMail");
  await expect.poll(() => sent().map(({ reqId }) => reqId)).toEqual([hold?.reqId, hold?.reqId]);
  const others = lines().filter(({ change }) => change && change.verb !== "hold");
  for (const { reqId } of others) expect(reqId).not.toBe(hold?.reqId);
  await shop.close();
  await server.close();
});
