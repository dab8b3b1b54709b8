import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { expect, onTestFinished } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { readConfig } from "#contract/config.ts";
import { emailNames } from "#contract/emails.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { previewCookie } from "#contract/shop.ts";
import {
  defaultSettings,
  discardShopDraft,
  pageTitles,
  publishShopSettings,
  readPageText,
  readShopSettings,
  restoreShopVersion,
  type ShopSettings,
  saveShopDraft,
} from "#contract/shop-settings.ts";
import { updateSessions } from "../../adapters/identity/testing.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import { expectWithinSecond, openShop, type Shop } from "../../testing/shop.ts";

const test = shopTest({ pages: true });

const colors = { main: "#3b1f8f", accent: "#ffd166" };
const operator = {
  name: "Relap Lda",
  address: "Rua Augusta 1\nLisboa",
  email: "hello@relap.example",
  registration: "PT 123",
};

async function publish(admin: Person, changes: Partial<ShopSettings>): Promise<void> {
  const { number: basedOn, draftRevision: over } = await admin.call(readShopSettings, {});
  const settings = { ...defaultSettings, ...changes };
  await admin.call(publishShopSettings, { body: { settings, basedOn, over } });
}

const textOf = async (address: string, headers = {}) =>
  await (await fetch(address, { headers })).text();

test.afterEach(async ({ admin }) => {
  await admin.call(discardShopDraft, {});
  const { published } = await admin.call(readShopSettings, {});
  if (published.name !== defaultSettings.name) await publish(admin, {});
});

test("within a second of publishing, the new name is on every node's home page, and then on other pages, the manifest and emails", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  const other = await openShop({ beside: shop, pages: true });
  onTestFinished(() => other.close());
  const laptop = await listing(seller);
  const { linkPreview } = await readLaptop(buyer, laptop);
  const addresses = ["/", "/terms", "/contact", "/login"];
  // These requests put the pages into both nodes' caches.
  for (const { url } of [shop, other])
    for (const path of addresses) expect(await textOf(`${url}${path}`)).toContain("Secondlap");

  const texts = { tagline: "Laptops of Lisbon.", announcement: "Closed on Sunday." };
  await publish(admin, { name: "Relap", operator, colors, ...texts });
  for (const { url } of [shop, other]) await expectWithinSecond(url, "Relap");
  for (const path of addresses) {
    const text = await textOf(`${shop.url}${path}`);
    expect(text, path).toContain("Relap");
    expect(text, path).not.toContain("Secondlap");
  }
  const home = await textOf(shop.url);
  expect(home).toContain(" · Relap</title>");
  expect(home).not.toMatch(/second lap|laps left/);
  const { info } = JSON.parse(await textOf(`${shop.url}/api/openapi.json`));
  expect(info.title).toBe("Marketplace");
  expect(home).toContain("Closed on Sunday.");
  expect(await textOf(`${shop.url}/contact`)).toContain("mailto:hello@relap.example");
  expect(JSON.parse(await textOf(`${shop.url}/manifest.webmanifest`))).toMatchObject({
    name: "Relap",
    theme_color: colors.main,
  });
  const [, style = ""] = /href="(\/shop\/colors\.css[^"]*)"/.exec(home) ?? [];
  expect(await textOf(`${shop.url}${style}`)).toContain(`--color-primary:${colors.main}`);
  const [, picture = ""] = /og:image" content="([^"]+)"/.exec(home) ?? [];
  const drawn = await sharp(Buffer.from(await (await fetch(picture)).arrayBuffer())).metadata();
  expect(drawn).toMatchObject({ format: "jpeg", width: 1_200 });
  expect((await readLaptop(buyer, laptop)).linkPreview).not.toBe(linkPreview);

  await bookLaptop(buyer, laptop);
  const [email] = (await queuedEmails(shop)).filter(({ to }) => to === buyer.email);
  expect(email).toMatchObject({ senderName: "Relap" });
  expect(email?.text).toContain(
    "Relap\nRelap Lda\nRua Augusta 1\nLisboa\nPT 123\nhello@relap.example",
  );
  expect(email?.html).toContain(`background:${colors.main}`);
  expect(`${email?.text}${email?.html}`).not.toMatch(/Secondlap|\{shop\}/);
});

test("publishing a tagline replaces the built-in link preview with one drawn for the shop", async ({
  shop,
  admin,
}) => {
  const imageOf = async () => /og:image" content="([^"]+)"/.exec(await textOf(shop.url))?.[1];
  await publish(admin, { tagline: "Laptops of Lisbon." });
  expect(await imageOf()).toContain("/shop/preview.jpg");
  await publish(admin, {});
  expect(await imageOf()).toContain("/social.jpg");
});

async function readLaptop(who: Person, id: string) {
  const laptop = await who.call(readProduct, { params: { id } });
  if (laptop.withdrawn) throw new Error("It is withdrawn.");
  return laptop;
}

test("only a browser with the draft's id sees the draft, and pages with the draft are sent with no-store", async ({
  shop,
  admin,
}) => {
  const settings = {
    ...defaultSettings,
    name: "Draftlap",
    texts: { "/terms": { text: "Draft terms", basedOn: "" } },
  };
  const { number: basedOn } = await admin.call(readShopSettings, {});
  const { insertedId, draftRevision } = await admin.call(saveShopDraft, {
    body: { settings, basedOn },
  });
  const cookie = `a=b; ${previewCookie}=${insertedId}`;
  await textOf(shop.url);
  const preview = await fetch(shop.url, { headers: { cookie } });
  expect(preview.headers.get("cache-control")).toBe("private, no-store");
  expect(await preview.text()).toContain("Draftlap");
  expect(await textOf(`${shop.url}/terms`, { cookie })).toContain("Draft terms");
  expect(await textOf(shop.url)).not.toContain("Draftlap");
  expect(await textOf(`${shop.url}/terms`)).not.toContain("Draft terms");

  const next = { ...defaultSettings, name: "Nextlap" };
  await admin.call(saveShopDraft, { body: { settings: next, basedOn, over: draftRevision } });
  expect(await textOf(shop.url, { cookie })).toContain("Nextlap");
  const forged = `${previewCookie}=${crypto.randomUUID()}`;
  expect(await textOf(shop.url, { cookie: forged })).not.toContain("Nextlap");
  await admin.call(discardShopDraft, {});
  expect(await textOf(shop.url, { cookie })).toContain("Secondlap");
});

test("an earlier version can be published again, and the audit log says who published what", async ({
  admin,
}) => {
  await publish(admin, { name: "One", tagline: "First." });
  await publish(admin, { name: "Two", tagline: "First." });
  const before = await admin.call(readShopSettings, {});
  expect(before.versions.slice(0, 2)).toMatchObject([
    { publishedBy: admin.name, changed: ["name"] },
    { publishedBy: admin.name, changed: ["name", "tagline"] },
  ]);
  await admin.call(restoreShopVersion, { body: { _id: before.versions[1]?._id ?? "" } });
  const { published, versions } = await admin.call(readShopSettings, {});
  expect(published).toMatchObject({ name: "One", tagline: "First." });
  expect(versions).toHaveLength(before.versions.length + 1);
  const entries = await admin.call(listAuditLog, { query: { object: "shop" } });
  expect(entries.slice(0, 2)).toMatchObject([
    { verb: "restore", actor: { _id: admin.id }, detail: { changed: "name" } },
    { verb: "publish", actor: { _id: admin.id }, detail: { changed: "name" } },
  ]);
});

test("if two admins edit the same version, the second can't overwrite what the first published", async ({
  shop,
  admin,
}) => {
  const other = await member(shop, { isAdmin: true });
  const { number: basedOn } = await admin.call(readShopSettings, {});
  const publishing = [admin, other].map((who, index) =>
    who.call(publishShopSettings, {
      body: { settings: { ...defaultSettings, name: `Shop ${index}` }, basedOn },
    }),
  );
  const outcomes = await Promise.allSettled(publishing);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
  const { published, number } = await admin.call(readShopSettings, {});
  expect({ name: published.name, number }).toEqual({ name: `Shop ${winner}`, number: basedOn + 1 });
  const late = admin.call(publishShopSettings, { body: { settings: defaultSettings, basedOn } });
  expect(await errorOf(late)).toMatchObject({ status: 409, code: "STALE" });
});

test("saving a draft is rejected if another admin has saved one since the settings were read", async ({
  shop,
  admin,
}) => {
  const other = await member(shop, { isAdmin: true });
  const { number: basedOn } = await admin.call(readShopSettings, {});
  const save = (who: Person, tagline: string, over: string | null) =>
    who.call(saveShopDraft, { body: { settings: { ...defaultSettings, tagline }, basedOn, over } });
  const first = await save(admin, "First.", null);
  expect(await errorOf(save(other, "Other.", null))).toMatchObject({
    status: 409,
    code: "STALE",
    message:
      "Somebody has saved another draft. Download your settings as a file, load the page again, and then make your changes.",
  });
  const { draftRevision, draft } = await other.call(readShopSettings, {});
  expect([draftRevision, draft?.tagline]).toEqual([first.draftRevision, "First."]);
  const second = await save(other, "Other.", draftRevision);
  expect(second.insertedId).toBe(first.insertedId);
  expect(await errorOf(save(admin, "Late.", draftRevision))).toMatchObject({ code: "STALE" });
  await save(other, "Again.", second.draftRevision);
  expect((await admin.call(readShopSettings, {})).draft?.tagline).toBe("Again.");
});

test("settings based on an outdated version can't be saved or published, and restoring a version deletes the draft", async ({
  shop,
  admin,
}) => {
  const other = await member(shop, { isAdmin: true });
  const seen = await admin.call(readShopSettings, {});
  const mine = { ...defaultSettings, tagline: "Mine." };
  const body = { settings: mine, basedOn: seen.number, over: seen.draftRevision };
  await publish(other, { tagline: "Theirs." });
  expect(await errorOf(admin.call(saveShopDraft, { body }))).toMatchObject({ code: "STALE" });
  expect(await errorOf(admin.call(publishShopSettings, { body }))).toMatchObject({ code: "STALE" });

  const basedOn = seen.number + 1;
  await admin.call(saveShopDraft, { body: { settings: mine, basedOn } });
  const blind = other.call(publishShopSettings, { body: { settings: defaultSettings, basedOn } });
  expect(await errorOf(blind)).toMatchObject({ code: "STALE" });
  const { published, draft, versions } = await admin.call(readShopSettings, {});
  expect([published.tagline, draft?.tagline]).toEqual(["Theirs.", "Mine."]);
  await other.call(restoreShopVersion, { body: { _id: versions[0]?._id ?? "" } });
  expect(await admin.call(readShopSettings, {})).toMatchObject({ draft: null });
});

test("publishing without settings or with an unknown setting, and restoring an unknown version, are refused and change nothing", async ({
  admin,
}) => {
  const before = await admin.call(readShopSettings, {});
  const wrong: [object, string][] = [
    [{}, "Send the settings of the shop."],
    [{ nmae: "Relap" }, "Send the settings of the shop."],
    [{ ...defaultSettings, nmae: "Relap" }, "There is no setting nmae."],
  ];
  for (const [settings, sentence] of wrong)
    for (const call of [publishShopSettings, saveShopDraft]) {
      const body = { settings: settings as ShopSettings, basedOn: before.number };
      const fields = { settings: sentence };
      expect(await errorOf(admin.call(call, { body }))).toMatchObject({ status: 400, fields });
    }
  const unknown = admin.call(restoreShopVersion, { body: { _id: crypto.randomUUID() } });
  expect(await errorOf(unknown)).toMatchObject({ status: 404 });
  expect(await admin.call(readShopSettings, {})).toEqual(before);
});

test("restoring the built-in settings keeps a closed shop closed", async ({ admin }) => {
  const kept = { closed: true };
  await publish(admin, { name: "Relap", colors, ...kept });
  await admin.call(restoreShopVersion, { body: { _id: null } });
  const { published, versions } = await admin.call(readShopSettings, {});
  expect(published).toEqual({ ...defaultSettings, ...kept });
  expect(versions[0]?.changed.toSorted()).toEqual(["colors", "name"]);
});

test("an invalid stored setting falls back to its default, and the other settings stay", async ({
  shop,
  admin,
}) => {
  await publish(admin, { name: "Relap", tagline: "Kept." });
  const opening = { subject: "", opening: "Good choice!" };
  const emails = { "later-email": opening, "payout-sent": opening };
  const later = { colors: "red", later: 1, emails };
  const broken = JSON.stringify({ name: "Relap", tagline: "Kept.", ...later });
  await shop.deps.db
    .updateTable("shop_settings")
    .set({ settings: broken })
    .where("number", "is not", null)
    .execute();
  await shop.deps.shop.load(shop.pool);
  expect(shop.deps.shop.get()).toMatchObject({ name: "Relap", tagline: "Kept.", colors: null });
  const { published } = await admin.call(readShopSettings, {});
  expect(published).toMatchObject({ tagline: "Kept.", emails: { "payout-sent": opening } });
});

/** Changes the published version in the database, as a newer program might. */
async function overwrite({ deps: { db } }: Shop, changes: object): Promise<void> {
  await db
    .updateTable("shop_settings")
    .set({ settings: sql`settings || ${JSON.stringify(changes)}::jsonb` })
    .where("number", "=", ({ selectFrom }) =>
      selectFrom("shop_settings").select(({ fn }) => fn.max("number").as("number")),
    )
    .execute();
}

test("a node that doesn't know the shop's currency refuses to start, or sells nothing if already running", async ({
  shop,
  admin,
  buyer,
  seller,
}) => {
  const laptop = await listing(seller);
  await publish(admin, { name: "Relap" });
  await overwrite(shop, { currency: "XAU" });
  const message =
    "This version of the shop can't sell in its currency, XAU. Install a version that can.";
  await expect(openShop({ beside: shop })).rejects.toThrow(message);
  await expect(shop.deps.shop.load(shop.pool)).rejects.toThrow(message);
  const refused = { status: 503, code: "UNAVAILABLE", message };
  expect(await errorOf(bookLaptop(buyer, laptop))).toMatchObject(refused);
  expect(await errorOf(createVisitor(shop).call(readConfig, {}))).toMatchObject(refused);
  expect((await fetch(shop.url)).status).toBe(503);
  await overwrite(shop, { currency: "USD" });
  await shop.deps.shop.load(shop.pool);
  await bookLaptop(buyer, laptop);
});

test("if a node can't read whether the shop is closed, it treats the shop as closed", async ({
  shop,
  admin,
}) => {
  await publish(admin, { name: "Relap" });
  await overwrite(shop, { closed: "until Monday" });
  await shop.deps.shop.load(shop.pool);
  expect(shop.deps.shop.get()).toMatchObject({ name: "Relap", closed: true });
  await overwrite(shop, { closed: false });
  await shop.deps.shop.load(shop.pool);
});

test("settings of the maximum size can be saved", async ({ admin }) => {
  const text = "é".repeat(20_000);
  const texts = Object.fromEntries(
    Object.keys(pageTitles).map((path) => [path, { text, basedOn: "" }]),
  );
  const email = { subject: "é".repeat(120), opening: "é".repeat(500) };
  const emails = Object.fromEntries(emailNames.map((name) => [name, email]));
  const pictures = { logo: png + "A".repeat(83_000), icon: png + "A".repeat(167_000) };
  const settings = { ...defaultSettings, ...pictures, texts, emails };
  const { number: basedOn, draftRevision: over } = await admin.call(readShopSettings, {});
  await admin.call(saveShopDraft, { body: { settings, basedOn, over } });
  expect((await admin.call(readShopSettings, {})).draft?.icon).toBe(pictures.icon);
});

test("§10.6: more than ten minutes after signing in, an admin without a password must confirm before publishing", async ({
  shop,
}) => {
  const late = await member(shop, { isAdmin: true });
  const createdAt = new Date(shop.clock.now().getTime() - 11 * 60_000);
  await updateSessions(shop.deps.db, { createdAt }, late.email);
  const { number: basedOn } = await late.call(readShopSettings, {});
  const settings = { ...defaultSettings, name: "Late" };
  const publishing = late.call(publishShopSettings, { body: { settings, basedOn } });
  expect(await errorOf(publishing)).toMatchObject({ status: 403, code: "CONFIRM_PROVIDER" });
  expect((await late.call(readShopSettings, {})).published.name).toBe("Secondlap");
});

test("a sale keeps the fee that applied when the hold began", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  const fee = { percent: 5, fixed: 1, minimum: 2, cap: 40 };
  await publish(admin, { name: "Fees", fee });
  expect((await createVisitor(shop).call(readConfig, {})).fee).toEqual(fee);
  const laptop = await listing(seller);
  const booking = await bookLaptop(buyer, laptop);
  await publish(admin, { name: "Fees", fee: { ...fee, percent: 50 } });
  const row = await shop.deps.db
    .selectFrom("bookings")
    .select("fee")
    .where("id", "=", booking)
    .executeTakeFirst();
  expect(row?.fee).toEqual(fee);
  expect(await textOf(`${shop.url}/fees`)).toContain(
    "50 percent of the price plus $1, at least $2 and at most $40",
  );
});

test("a page shows the owner's text instead of the built-in text, with HTML as plain text", async ({
  shop,
  admin,
}) => {
  const text =
    "## Our {shop} rules\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) **Bold**";
  await publish(admin, { name: "Relap", texts: { "/terms": { text, basedOn: "" } } });
  const page = await textOf(`${shop.url}/terms`);
  expect(page).toMatch(/<h2[^>]*>Our Relap rules<\/h2>/);
  expect(page).toContain("<strong>Bold</strong>");
  expect(page).not.toContain("<script>alert(1)");
  expect(page).not.toMatch(/href="javascript/);
  expect(page).not.toContain("List only laptops that are yours to sell");
  const visitor = createVisitor(shop);
  expect(await visitor.call(readPageText, { query: { path: "/privacy" } })).toEqual({ text: null });
});

test("only the Shop page's script contains the list of emails", async () => {
  const folder = join(import.meta.dirname, "../../../build/client/assets");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".js"));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const lists = texts.filter((text) => text.includes("hold-started-buyer"));
  expect(lists).toEqual([expect.stringContaining("First steps of a new shop")]);
});

const times = { holdHours: 24, handoverDays: 14, complaintHours: 72, returnDays: 7 };
const promo = {
  inviteCredit: 10,
  purchaseCredit: 20,
  discountPercent: 15,
  discountOver: 200,
  discountCap: 150,
};
const png = "data:image/png;base64,iVBORw0KGgo";

const rejected: [changes: object, sentence: string | RegExp][] = [
  [{ name: "Re\u202elap" }, "Please leave out control characters."],
  [{ name: "relap.example" }, "The name can't be a web or email address."],
  [{ name: " " }, "Enter the name of your shop."],
  [{ tagline: "Good\nlaptops" }, "Please keep this to one line."],
  [{ colors: { ...colors, main: "red;}*{display:none" } }, "Enter a color such as #005b46."],
  [
    { colors: { ...colors, main: "#ffee00" } },
    "White text can't be read on this color. Choose a darker one.",
  ],
  [
    { colors: { ...colors, accent: "#222222" } },
    "Dark text can't be read on this color. Choose a lighter one.",
  ],
  [{ logo: "data:image/svg+xml,<svg><script>alert(1)</script></svg>" }, "Choose a PNG."],
  [{ logo: png + "A".repeat(10_000_000) }, /at most 60 kB|too large/i],
  [{ fee: { percent: 1e9, fixed: 0, minimum: 0, cap: null } }, "Enter a number from 0 to 50."],
  [
    { fee: { percent: 1, fixed: 0, minimum: 9, cap: 5 } },
    "“At most” can't be less than “At least”.",
  ],
  [{ times: { ...times, holdHours: 73 } }, "Enter a whole number of hours from 1 to 72."],
  [{ times: { ...times, handoverDays: 1 } }, "Enter a whole number of days from 2 to 30."],
  [{ times: { ...times, complaintHours: 0 } }, "Enter a whole number of hours from 24 to 336."],
  [{ times: { ...times, returnDays: 2.5 } }, "Enter a whole number of days from 2 to 14."],
  [{ promo: { ...promo, discountPercent: 100 } }, "Enter a number from 1 to 90."],
  [
    { promo: { ...promo, discountCap: 0 } },
    "Enter an amount from 1 to 1000000, with at most two decimals.",
  ],
  [
    { promo: { ...promo, inviteCredit: 1e9 } },
    "Enter an amount from 0 to 10000, with at most two decimals.",
  ],
  [{ currency: "THB" }, "Choose one of the currencies."],
  [
    { social: { x: "javascript:alert(1)", youtube: "", facebook: "" } },
    "Enter an address that begins with https://, or leave this empty.",
  ],
  [
    { emails: { "payout-sent": { subject: "Hi\nBcc: all@example.com" } } },
    "Please keep this to one line.",
  ],
  [
    { emails: { "payout-sent": { subject: "Paid \u202eyadot" } } },
    "Please leave out control characters.",
  ],
  [
    { emails: { "payout-sent": { opening: "Paid\u0000" } } },
    "Please leave out control characters.",
  ],
  [
    { emails: { "payout-sent": { subject: "{price} for {password}" } } },
    "Use no placeholders except {shop}, {price}.",
  ],
  [
    { emails: { "reviews-published": { opening: "{price}" } } },
    "Use no placeholders except {shop}.",
  ],
  [{ emails: { "payout-sent": { subject: "a".repeat(10_000) } } }, "Use at most 120 characters."],
  [{ emails: { "payout-sent": { opening: "a".repeat(10_000) } } }, "Use at most 500 characters."],
  [{ emails: { "admin-alert": { subject: "Hi" } } }, "There is no setting admin-alert."],
  [{ texts: { "/nowhere": { text: "Hi", basedOn: "" } } }, /./],
];

test("an invalid setting is rejected with a message, and nothing changes", async ({ admin }) => {
  const before = await admin.call(readShopSettings, {});
  for (const [changes, sentence] of rejected) {
    const body = { settings: { ...defaultSettings, ...changes }, basedOn: before.number };
    const { status, message, fields } = await errorOf(admin.call(saveShopDraft, { body }));
    const sent = JSON.stringify(changes).slice(0, 100);
    expect([400, 413], sent).toContain(status);
    expect([message, ...Object.values(fields)].join(" "), sent).toMatch(sentence);
  }
  expect(await admin.call(readShopSettings, {})).toEqual(before);
});
