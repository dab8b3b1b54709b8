import { randomBytes, randomUUID } from "node:crypto";
import sharp from "sharp";
import { expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { draftEvidence, readDealRecord, submitEvidence } from "#contract/deal-records.ts";
import { askSeller, sendMessage } from "#contract/messages.ts";
import { payAndDispute } from "../../testing/disputes.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { type Deal, goodLaptop, photo, uploadForm } from "../../testing/marketplace.ts";
import { createMember, errorOf, type Person } from "../../testing/people.ts";

const at = ({ booking }: Deal<Person>) => ({ params: { id: booking } });

const ask = ({ product, buyer }: Deal<Person>, text: string) =>
  buyer.call(askSeller, { body: { text, key: randomUUID(), product: { _id: product } } });

/** A deal whose payment is disputed, and in whose messages its seller has sent a photo. */
const test = dealTest({ worker: true }).extend(
  "disputed",
  async ({ shop, cards, seller, deal }, { onCleanup }) => {
    onCleanup(() => cards.injectFaults({}));
    const admin = await createMember(shop, { isAdmin: true });
    const { insertedId: id } = await ask(deal, "Is the charger included?");
    const small = await photo({ width: 160, height: 120 });
    const uploaded = await uploadForm(seller, "/privatePhotos", small);
    const { photo: sent } = (await uploaded.json()) as { photo: { _id: string } };
    const body = { text: "Yes.", key: randomUUID(), photos: [sent._id] };
    await seller.call(sendMessage, { params: { id }, body });
    await payAndDispute(cards, deal);
    const disputes = async () => (await admin.call(readDealRecord, at(deal))).disputes;
    await expect.poll(disputes).toMatchObject([{ state: "open", submittedAt: null }]);
    const dispute = (await disputes())[0]?._id ?? "";
    const draft = () => admin.call(draftEvidence, at(deal));
    const send = (text: string, photos: string[]) =>
      admin.call(submitEvidence, { ...at(deal), body: { dispute, text, photos } });
    const loseAnswers = (path: string) =>
      cards.injectFaults({
        failNext: { method: "POST", path, status: "hangup", afterWork: true, times: 9 },
      });
    const { listingPhotos, privatePhotos, text } = await draft();
    const photos = [...listingPhotos, ...privatePhotos.map(({ _id }) => _id)];
    const calls = { disputes, draft, send, loseAnswers };
    return { admin, deal, dispute, text, photos, photo: sent._id, ...calls };
  },
);

test("evidence is put together from the deal, its messages and its photos, and sent to the bank once", async ({
  cards,
  disputed: { admin, deal, dispute, disputes, draft, send, loseAnswers, text, photos, photo },
}) => {
  expect((await disputes())[0]?.respondBy).toMatch(/Z$/);
  expect(text).toContain(goodLaptop.description);
  expect(text).toContain("buyer: Is the charger included?");
  expect(photos).toEqual([expect.stringContaining("/images/"), photo]);
  // The answer to the first attempt is lost.
  await loseAnswers("/v1/disputes/:id");
  expect(await errorOf(send(text, photos))).toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
  await cards.injectFaults({});
  expect(await errorOf(send(`${text} More.`, photos))).toMatchObject({ code: "STALE" });
  await ask(deal, "Never mind.");
  expect(await draft()).toMatchObject({ text, sent: { photos: true } });
  await send(text, photos);
  expect(await disputes()).toMatchObject([{ submittedAt: expect.stringMatching(/Z$/) }]);
  expect(await errorOf(send(text, photos))).toMatchObject({ status: 409, code: "STALE" });
  const submissions = (await admin.call(listAuditLog, { query: { object: "payment" } })).filter(
    ({ verb }) => verb === "submitEvidence",
  );
  expect(submissions).toHaveLength(1);
  const { picture, ...words } = await cards.evidenceOf(dispute);
  expect(words).toEqual({ text });
  const { format, width, height } = await sharp(picture).metadata();
  expect({ format, width, height }).toEqual({ format: "jpeg", width: 1_800, height: 719 });
});

test("photos whose upload was not answered are uploaded again with the same key, and sent as one file", async ({
  shop,
  cards,
  disputed: { dispute, draft, send, loseAnswers, text, photos },
}) => {
  const row = () =>
    shop.deps.db
      .selectFrom("dispute_evidence")
      .select(["attempt", "evidence", "submitted_at"])
      .where("dispute_id", "=", dispute)
      .executeTakeFirstOrThrow();
  const files = async () => (await cards.ledger()).files.length;
  const before = await files();
  await loseAnswers("/v1/files");
  expect(await errorOf(send(text, photos))).toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
  await cards.injectFaults({});
  expect(await draft()).toMatchObject({ text, sent: null });
  await loseAnswers("/v1/disputes/:id");
  expect(await errorOf(send(text, photos))).toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
  await cards.injectFaults({});
  const { attempt, evidence } = await row();
  expect(attempt).toBe(1);
  expect(evidence).toMatchObject({ fileId: expect.stringMatching(/^file_/) });
  expect(await files()).toBe(before + 1);
  const failNext = { method: "POST", path: "/v1/disputes/:id", status: 409, times: 2 };
  await cards.injectFaults({ failNext });
  expect(await errorOf(send(text, photos))).toMatchObject({
    message: expect.stringContaining("is being sent just now"),
  });
  await send(text, photos);
  expect((await row()).evidence).toEqual(evidence);
  expect(await files()).toBe(before + 1);
});

test("of many photos the newest go along, the oldest first", async ({
  shop,
  disputed: { draft, photos, photo },
}) => {
  const { db } = shop.deps;
  const sent = await db
    .selectFrom("private_photos")
    .selectAll()
    .where("id", "=", photo)
    .executeTakeFirstOrThrow();
  const later = Array.from({ length: 9 }, (_, n) => ({
    ...{ ...sent, id: randomUUID(), name: randomBytes(32).toString("hex") },
    uploaded_at: new Date(sent.uploaded_at.getTime() + n + 1),
  }));
  await db.insertInto("private_photos").values(later).execute();
  const { listingPhotos, privatePhotos } = await draft();
  expect(listingPhotos).toEqual(photos.slice(0, 1));
  expect(privatePhotos.map(({ _id }) => _id)).toEqual(later.slice(1).map(({ id }) => id));
});

test("nothing is sent if the provider refuses the photos or one is gone, and the text can go without them", async ({
  shop,
  cards,
  disputed: { dispute, send, text, photos, photo },
}) => {
  const failNext = { method: "POST", path: "/v1/files", status: 400, code: "file_refused" };
  await cards.injectFaults({ failNext });
  expect(await errorOf(send(text, photos))).toMatchObject({
    code: "STALE",
    message: expect.stringContaining("didn't take the photos, and nothing was sent"),
  });
  expect(await errorOf(send(text, ["/images/other.jpg"]))).toMatchObject({ code: "STALE" });
  const { name } = await shop.deps.db
    .selectFrom("private_photos")
    .select("name")
    .where("id", "=", photo)
    .executeTakeFirstOrThrow();
  await shop.deps.images.delete(`private/${name}.jpg`);
  expect(await errorOf(send(text, photos))).toMatchObject({
    message: expect.stringContaining("Nothing was sent"),
  });
  expect(await cards.evidenceOf(dispute)).toEqual({ text: null, picture: undefined });
  await send(text, []);
  expect(await cards.evidenceOf(dispute)).toEqual({ text, picture: undefined });
});
