import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expireResetLink,
  findResetLink,
  findUser,
  findVerifications,
  insertPasskey,
} from "../../adapters/identity/testing.ts";
import { type Browser, logIn, openBrowser, signUpIn } from "../../testing/browser.ts";
import { mailsTo, tokenIn, waitForMail, waitForMailAbout } from "../../testing/inbox.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { signUpWithApp } from "../../testing/two-factor.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ sandbox: true, worker: true });
});
afterAll(() => shop.close());

async function askForLink(email: string) {
  const answer = await openBrowser(shop.url).post("/request-password-reset", { email });
  return { status: answer.status, body: await answer.json() };
}

async function setPassword(token: string, newPassword: string) {
  const answer = await openBrowser(shop.url).post("/reset-password", { token, newPassword });
  return { status: answer.status, body: await answer.json() };
}

async function signsIn(email: string, password: string): Promise<boolean> {
  return (await logIn(shop.url, email, { password })).status === 200;
}

async function jobsDone(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ left: number }>`
        select count(*)::int as left from (
          select task_identifier from graphile_worker.jobs union all select task from job_outbox
        ) as jobs (task)
        where task in ('offerPasswordReset', 'sendMail')`.execute(shop.deps.db);
      return rows[0]?.left;
    })
    .toBe(0);
}

async function withLink(email: string): Promise<{ browser: Browser; token: string }> {
  const browser = await signUpIn(shop.url, email);
  await askForLink(email);
  return { browser, token: tokenIn(await waitForMail(shop, email)) };
}

const old = "Secret#2026";
const chosen = "Another#2027";

describe("a forgotten password", () => {
  test("§10.4: a forgotten password is replaced through an emailed link, and the email states its purpose", async () => {
    const email = "ada@example.com";
    await signUpIn(shop.url, email);
    expect(await askForLink(" ADA@example.com")).toMatchObject({ status: 200 });
    const mail = await waitForMail(shop, email);
    expect(mail).toMatchObject({
      subject: "Set a new password for Secondlap",
      from: expect.stringContaining("Secondlap"),
    });
    const token = tokenIn(mail);
    expect(mail.text).toContain(`${shop.url}/reset-password?token=${token}`);
    expect(mail.html).toContain(`href="${shop.url}/reset-password?token=${token}"`);

    expect(await setPassword(token, chosen)).toMatchObject({ status: 200 });
    expect(await signsIn(email, old)).toBe(false);
    expect(await signsIn(email, chosen)).toBe(true);
  });

  test("§10.4: an unknown address gets the same response as a known address, and no email", async () => {
    await signUpIn(shop.url, "known@example.com");
    const known = await askForLink("known@example.com");
    const unknown = await askForLink("nobody@example.com");
    const words = (answer: typeof known) =>
      JSON.stringify(answer).replace(/(known|nobody)@example\.com/, "you@example.com");
    expect(words(unknown)).toBe(words(known));
    await waitForMail(shop, "known@example.com");
    await jobsDone();
    expect(await mailsTo(shop, "nobody@example.com")).toEqual([]);
  });

  test("a password reset request does nothing but enqueue one job, whether or not the address is known", async () => {
    const closed = await openShop();
    await signUpIn(closed.url, "known@example.com");
    const ask = (email: string) =>
      openBrowser(closed.url).post("/request-password-reset", { email });
    for (const email of ["known@example.com", "nobody@example.com"]) await ask(email);
    // No worker runs here, so the jobs stay in the outbox.
    const { rows } = await sql`
      select task, count(*)::int as jobs from job_outbox group by 1
    `.execute(closed.deps.db);
    expect(rows).toEqual([{ task: "offerPasswordReset", jobs: 2 }]);
    const links = await findVerifications(closed.deps.db);
    expect(links).toEqual([]);
    await closed.close();
  });

  test("a password reset request requires a valid address", async () => {
    expect(await askForLink("nonsense")).toMatchObject({
      status: 400,
      body: { code: "INVALID_EMAIL", message: "Enter an email address such as you@example.com." },
    });
  });
});

describe("a reset link", () => {
  test("a reset link works only once, even for concurrent requests", async () => {
    const { token } = await withLink("race@example.com");
    const passwords = ["First#2027", "Second#2027", "Third#2027"];
    const answers = await Promise.all(passwords.map((one) => setPassword(token, one)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test("a reset link is stored as a hash, which doesn't work as a link", async () => {
    const { token } = await withLink("stored@example.com");
    const stored = await findVerifications(shop.deps.db);
    expect(JSON.stringify(stored)).not.toContain(token);
    for (const { identifier } of stored) {
      for (const guess of [identifier, identifier.split(":")[1] ?? ""])
        expect((await setPassword(guess, chosen)).status).toBe(400);
    }
    expect((await setPassword(token, chosen)).status).toBe(200);
  });

  test("a reset link is valid for an hour", async () => {
    const { token } = await withLink("late@example.com");
    const { expiresAt, createdAt } = await findResetLink(shop.deps.db, token);
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(60 * 60_000);
    await expireResetLink(shop.deps.db, token);
    const late = await setPassword(token, chosen);
    expect(late).toMatchObject({ status: 400, body: { code: "INVALID_TOKEN" } });
    expect(await signsIn("late@example.com", old)).toBe(true);
  });

  test("a reset link is emailed at most once a minute, and earlier links stay valid", async () => {
    const email = "again@example.com";
    const { token } = await withLink(email);
    await askForLink(email);
    await jobsDone();
    expect(await mailsTo(shop, email)).toHaveLength(1);
    shop.clock.advance(2);
    await askForLink(email);
    const second = tokenIn(await waitForMail(shop, email, 2));
    expect((await setPassword(token, chosen)).status).toBe(200);
    // Using one link invalidates the other links.
    expect((await setPassword(second, "Third#2028")).status).toBe(400);
    expect(await signsIn(email, chosen)).toBe(true);
  });

  test("at most five reset links are emailed per hour, and a stranger's requests don't invalidate earlier links", async () => {
    const email = "besieged@example.com";
    const { token } = await withLink(email);
    for (let minutes = 0; minutes < 14; minutes += 2) {
      shop.clock.advance(2);
      await askForLink(email);
      await jobsDone();
    }
    expect(await mailsTo(shop, email)).toHaveLength(5);
    shop.clock.advance(60);
    await askForLink(email);
    await jobsDone();
    expect(await mailsTo(shop, email)).toHaveLength(6);
    expect((await setPassword(token, chosen)).status).toBe(200);
  });

  test("a reset link rejects a weak password with the specification's message, and stays valid", async () => {
    const { token } = await withLink("weak@example.com");
    for (const [password, message] of [
      ["Ab#1", "Password must have uppercase number and special character."],
      ["secret", "Password must be strong."],
    ] as const) {
      expect(await setPassword(token, password)).toMatchObject({
        status: 400,
        body: { code: "WEAK_PASSWORD", message },
      });
    }
    expect((await setPassword(token, chosen)).status).toBe(200);
  });

  test("using a reset link ends every session and verifies the address", async () => {
    const email = "sessions@example.com";
    const { browser, token } = await withLink(email);
    const { browser: other } = await logIn(shop.url, email);
    expect([await browser.user(), await other.user()]).not.toContain(undefined);
    await setPassword(token, chosen);
    expect([await browser.user(), await other.user()]).toEqual([undefined, undefined]);
    const { emailVerified } = await findUser(shop.deps.db, email);
    expect(emailVerified).toBe(true);
  });
});

describe("second factors", () => {
  test("a password reset that first confirms the address removes second factors, because a stranger may have added them", async () => {
    const { browser, email } = await signUpWithApp(shop.url, "planted@example.com");
    const { id: userId = "" } = (await browser.user()) ?? {};
    await insertPasskey(shop.deps.db, userId, "planted");
    await reset(email);
    expect(await factorsOf(email)).toEqual({ authenticatorApp: false, passkeys: [] });
  });

  test("a password reset keeps the second factors of a member whose address was already confirmed", async () => {
    const { email } = await signUpWithApp(shop.url, "careful@example.com");
    await shop.deps.db
      .updateTable("members")
      .set({ confirmed_at: shop.clock.now() })
      .where("email", "=", email)
      .execute();
    await reset(email);
    expect(await factorsOf(email)).toMatchObject({ authenticatorApp: true });
  });

  async function reset(email: string): Promise<void> {
    await askForLink(email);
    const token = tokenIn(await waitForMailAbout(shop, email, /^Set a new password/));
    expect((await setPassword(token, chosen)).status).toBe(200);
  }

  async function factorsOf(email: string) {
    const { db, identity } = shop.deps;
    return await identity.secondFactors.read(db, email);
  }
});
