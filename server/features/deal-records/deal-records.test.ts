import { randomBytes, randomUUID } from "node:crypto";
import sharp from "sharp";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { draftEvidence, listDealMessages, submitEvidence } from "#contract/deal-records.ts";
import { sendMessage } from "#contract/messages.ts";
import { deal, disputing } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { goodLaptop, listing, photo, uploadForm } from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";
import { ask } from "../messages/testing.ts";

/** `disputed`: a deal with a disputed payment and a photo that the seller sent in a message. */
const test = dealTest({ worker: true }).extend("disputed", async ({ shop }, { onCleanup }) => {
  onCleanup(() => shop.cards.injectFaults({}));
  const admin = await member(shop, { isAdmin: true });
  const seller = await member(shop, { accountType: "seller" });
  const sale = await deal(shop, "held", { seller, product: await listing(seller) });
  const id = await ask(sale.buyer, sale.product, "Is the charger included?");
  const small = await photo({ width: 160, height: 120 });
  const uploaded = await uploadForm(sale.seller, "/privatePhotos", small);
  const { photo: sent } = (await uploaded.json()) as { photo: { _id: string } };
  const body = { text: "Yes.", key: randomUUID(), photos: [sent._id] };
  await sale.seller.call(sendMessage, { params: { id }, body });
  await sale.pay(disputing);
  const disputes = async () => (await sale.record(admin)).disputes;
  await expect.poll(disputes).toMatchObject([{ state: "open", submittedAt: null }]);
  const dispute = (await disputes())[0]?._id ?? "";
  const draft = () => admin.call(draftEvidence, sale.at);
  const send = (text: string, photos: string[]) =>
    admin.call(submitEvidence, { ...sale.at, body: { dispute, text, photos } });
  const loseAnswers = (path: string) =>
    shop.cards.injectFaults({
      failNext: { method: "POST", path, status: "hangup", afterWork: true, times: 9 },
    });
  const { listingPhotos, privatePhotos, text } = await draft();
  const photos = [...listingPhotos, ...privatePhotos.map(({ _id }) => _id)];
  const calls = { disputes, draft, send, loseAnswers };
  return { admin, sale, dispute, text, photos, photo: sent._id, ...calls };
});

test("an admin sees a deal's listing as it was when booked, and sees the deal's messages while a complaint is open, but not before or after", async ({
  shop,
  admin,
}) => {
  const sale = await deal(shop, "held");
  const conversation = await ask(sale.buyer, sale.product, "Call me: 503-555-0199");
  await sale.pay();
  await sale.enterCode(await sale.newCode());
  // Edits the listing in the database, because the API rejects edits to a sold laptop.
  await shop.deps.db
    .updateTable("products")
    .set({ description: "Another text." })
    .where("id", "=", sale.product)
    .execute();
  const record = await sale.record(admin);
  const { product_name, description, condition, resale_price, location } = goodLaptop;
  expect(record).toMatchObject({
    state: "completed",
    price: 640,
    hasComplaint: false,
    isOpen: false,
    disputes: [],
    listing: { product_name, description, condition, resale_price, location },
    payment: { transactionId: sale.intent },
    handover: { by: "code" },
    buyer: { email: sale.buyer.email },
  });
  expect(record.listing?.images).toHaveLength(1);
  expect(record.events.map(({ verb }) => verb)).toEqual(
    expect.arrayContaining(["hold", "pay", "complete"]),
  );

  const read = () => admin.call(listDealMessages, sale.at);
  expect(await errorOf(read())).toMatchObject({ code: "NOT_FOUND" });
  await sale.complain();
  expect(await read()).toMatchObject([{ mine: true, text: "Call me: [hidden until paid]" }]);
  const looks = await admin.call(listAuditLog, { query: { objectId: conversation } });
  expect(looks).toMatchObject([{ verb: "read", actor: { _id: admin.id } }]);
  await sale.decide(admin, 0);
  expect(await errorOf(read())).toMatchObject({ code: "NOT_FOUND" });
});

test("evidence is drafted from a deal's facts, messages and photos, and is sent to the bank only once, even if the provider's responses are lost", async ({
  shop,
  disputed: { admin, sale, dispute, disputes, draft, send, loseAnswers, text, photos, photo },
}) => {
  expect((await disputes())[0]?.respondBy).toMatch(/Z$/);
  expect(text).toContain(goodLaptop.description);
  expect(text).toContain("buyer: Is the charger included?");
  expect(photos).toEqual([expect.stringContaining("/images/"), photo]);
  const row = () =>
    shop.deps.db
      .selectFrom("dispute_evidence")
      .select(["attempt", "evidence", "submitted_at"])
      .where("dispute_id", "=", dispute)
      .executeTakeFirstOrThrow();
  const files = async () => (await shop.cards.ledger()).files.length;
  const before = await files();
  await loseAnswers("/v1/files");
  expect(await errorOf(send(text, photos))).toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
  await shop.cards.injectFaults({});
  expect(await draft()).toMatchObject({ text, sent: null });
  await loseAnswers("/v1/disputes/:id");
  expect(await errorOf(send(text, photos))).toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
  await shop.cards.injectFaults({});
  expect(await errorOf(send(`${text} More.`, photos))).toMatchObject({ code: "STALE" });
  await ask(sale.buyer, sale.product, "Never mind.");
  expect(await draft()).toMatchObject({ text, sent: { photos: true } });
  const { attempt, evidence } = await row();
  expect(attempt).toBe(1);
  expect(evidence).toMatchObject({ fileId: expect.stringMatching(/^file_/) });
  expect(await files()).toBe(before + 1);

  const failNext = { method: "POST", path: "/v1/disputes/:id", status: 409, times: 2 };
  await shop.cards.injectFaults({ failNext });
  expect(await errorOf(send(text, photos))).toMatchObject({
    message: expect.stringContaining("is being sent just now"),
  });
  await send(text, photos);
  expect(await disputes()).toMatchObject([{ submittedAt: expect.stringMatching(/Z$/) }]);
  expect(await errorOf(send(text, photos))).toMatchObject({ status: 409, code: "STALE" });
  expect((await row()).evidence).toEqual(evidence);
  expect(await files()).toBe(before + 1);
  const submissions = (await admin.call(listAuditLog, { query: { object: "payment" } })).filter(
    ({ verb }) => verb === "submitEvidence",
  );
  expect(submissions).toHaveLength(1);
  const { picture, ...words } = await shop.cards.evidenceOf(dispute);
  expect(words).toEqual({ text });
  const { format, width, height } = await sharp(picture).metadata();
  expect({ format, width, height }).toEqual({ format: "jpeg", width: 1_800, height: 719 });
});

test("a draft lists the eight newest private photos, and nothing is sent if the provider rejects the photos or a photo is missing", async ({
  shop,
  disputed: { dispute, draft, send, text, photos, photo },
}) => {
  const { db } = shop.deps;
  const sent = await db
    .selectFrom("private_photos")
    .selectAll()
    .where("id", "=", photo)
    .executeTakeFirstOrThrow();
  const later = Array.from({ length: 9 }, (_, n) => ({
    ...sent,
    id: randomUUID(),
    name: randomBytes(32).toString("hex"),
    uploaded_at: new Date(sent.uploaded_at.getTime() + n + 1),
  }));
  await db.insertInto("private_photos").values(later).execute();
  const { listingPhotos, privatePhotos } = await draft();
  expect(listingPhotos).toEqual(photos.slice(0, 1));
  expect(privatePhotos.map(({ _id }) => _id)).toEqual(later.slice(1).map(({ id }) => id));
  const added = later.map(({ id }) => id);
  await db.deleteFrom("private_photos").where("id", "in", added).execute();

  const failNext = { method: "POST", path: "/v1/files", status: 400, code: "file_refused" };
  await shop.cards.injectFaults({ failNext });
  expect(await errorOf(send(text, photos))).toMatchObject({
    code: "STALE",
    message: expect.stringContaining("didn't take the photos, and nothing was sent"),
  });
  expect(await errorOf(send(text, ["/images/other.jpg"]))).toMatchObject({ code: "STALE" });
  await shop.deps.images.delete(`private/${sent.name}.jpg`);
  expect(await errorOf(send(text, photos))).toMatchObject({
    message: expect.stringContaining("Nothing was sent"),
  });
  expect(await shop.cards.evidenceOf(dispute)).toEqual({ text: null, picture: undefined });
  await send(text, []);
  expect(await shop.cards.evidenceOf(dispute)).toEqual({ text, picture: undefined });
});
