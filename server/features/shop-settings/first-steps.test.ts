import { expect, onTestFinished } from "vitest";
import { type FirstStep, firstSteps, readFirstSteps } from "#contract/first-steps.ts";
import { readNeedsYou } from "#contract/needs-you.ts";
import { defaultSettings } from "#contract/shop-settings.ts";
import { sandboxKeys } from "../../settings/production-checks.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { startTestSmtpServer } from "../../testing/smtp-server.ts";
import { publishSettings } from "./shop-settings.ts";

const test = dealTest();

async function stepsOf(admin: Person) {
  const steps = await admin.call(readFirstSteps, {});
  expect(steps.map(({ step }) => step)).toEqual(firstSteps);
  const done = steps.flatMap(({ step, isDone }) => (isDone ? [step] : []));
  const problems: Partial<Record<FirstStep, string>> = {};
  for (const { step, problem } of steps) if (problem !== null) problems[step] = problem;
  return { done, problems };
}

const stepsLeft = async (admin: Person) => (await admin.call(readNeedsYou, {})).queues.firstSteps;

test("the name, operator and test purchase count as done once the shop has them", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  expect(await stepsOf(admin)).toEqual({ done: [], problems: {} });
  expect(await stepsLeft(admin)).toBe(6);

  const operator = { ...defaultSettings.operator, name: "Relap", email: "hello@relap.example" };
  const settings = { ...defaultSettings, name: "Relap", operator };
  await publishSettings(shop.deps, { actor: null, settings, basedOn: 0 });
  await expect.poll(async () => (await stepsOf(admin)).done).toEqual(["name", "operator"]);

  const sale = await deal(shop, "held", { seller, buyer });
  expect((await stepsOf(admin)).done).not.toContain("testPurchase");
  const { intents } = await shop.cards.ledger();
  expect(intents.find(({ id }) => id === sale.intent)).toMatchObject({
    statement_descriptor_suffix: "Relap",
  });
  await sale.pay();
  expect((await stepsOf(admin)).done).toContain("testPurchase");
  expect(await stepsLeft(admin)).toBe(3);
  expect(await errorOf(buyer.call(readFirstSteps, {}))).toMatchObject({ status: 403 });
});

async function openWith(shop: Shop, { secretKey = "", smtpUrl = "" }): Promise<Shop> {
  const { hostname, port } = new URL(shop.sandbox?.url ?? "");
  const stripe = { ...sandboxKeys, secretKey, host: { hostname, port: Number(port) } };
  const opened = await openShop({ config: { stripe, smtpUrl } });
  onTestFinished(() => opened.close());
  return opened;
}

test("a failing provider is shown with the reason, and checked at most once a minute", async ({
  shop,
}) => {
  const smtp = await startTestSmtpServer({ allowInsecureAuth: true });
  onTestFinished(() => smtp.close());
  const smtpUrl = `smtp://shop:wrong-secret@127.0.0.1:${smtp.port}/?requireTLS=false`;
  const broken = await openWith(shop, { secretKey: "sk_live_of_nobody", smtpUrl });
  const admin = await member(broken, { isAdmin: true });
  const { done, problems } = await stepsOf(admin);
  expect(done).toEqual(["cards", "payouts", "mail"]);
  expect(problems).toEqual({
    cards: expect.stringMatching(/Invalid API Key.* See STRIPE_SECRET_KEY\.$/),
    payouts: expect.stringMatching(/Invalid API Key/),
    mail: expect.stringMatching(/535.* See SMTP_URL\.$/),
  });
  expect(JSON.stringify(problems)).not.toMatch(/wrong-secret|of_nobody/);

  await Promise.all([stepsOf(admin), stepsOf(admin)]);
  expect(smtp.connections).toBe(1);
  broken.clock.advance(1);
  await stepsOf(admin);
  expect(smtp.connections).toBe(2);
});

test("problems with cards and with payouts to sellers are reported separately", async ({
  shop,
}) => {
  const smtp = await startTestSmtpServer({ allowInsecureAuth: true });
  onTestFinished(() => smtp.close());
  const smtpUrl = `smtp://shop:secret@127.0.0.1:${smtp.port}/?requireTLS=false`;
  const opened = await openWith(shop, { secretKey: sandboxKeys.secretKey, smtpUrl });
  const { problems } = await stepsOf(await member(opened, { isAdmin: true }));
  expect(problems).toEqual({
    cards: expect.stringContaining("PUBLIC_URL is not set"),
    payouts: expect.stringContaining("Stripe has no event destination for sellers' accounts"),
  });
});
