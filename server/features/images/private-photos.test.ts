import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { deleteAccount, readOwnData } from "#contract/account.ts";
import { listAuditLog } from "#contract/audit.ts";
import { complain, decideComplaint, readComplaint } from "#contract/complaints.ts";
import {
  listMessages,
  readReportedMessages,
  reportConversation,
  sendMessage,
} from "#contract/messages.ts";
import { maxUnsentPhotos, type PrivatePhoto } from "#contract/private-photos.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest, shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, type Caller, photo, uploadForm } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { eraseDeletedMembers } from "../members/erase-deleted-members.ts";
import { startConversation } from "../messages/testing.ts";
import { cleanUp } from "../retention/clean-up.ts";
import { privateNames } from "./photo-files.ts";

const test = shopTest({ worker: true });

async function upload(who: Caller): Promise<PrivatePhoto> {
  const answer = await uploadForm(who, "/privatePhotos", await photo({ width: 160, height: 120 }));
  const body = (await answer.json()) as { photo: PrivatePhoto; code?: string };
  if (answer.status !== 201) throw Object.assign(new Error(body.code), body);
  return body.photo;
}

async function see({ connection: { host, token } }: Caller, id: string, size = "large") {
  const headers = { authorization: `Bearer ${(await token?.()) ?? ""}` };
  return await fetch(`${host}/privatePhotos/${id}?size=${size}`, { headers });
}

const statuses = async (id: string, readers: Caller[]) =>
  await Promise.all(readers.map(async (reader) => (await see(reader, id)).status));

const sendWith = (sender: Person, id: string, photos: string[]) =>
  sender.call(sendMessage, {
    params: { id },
    body: { text: "Look at the lid.", key: randomUUID(), photos },
  });

async function sent(shop: Shop, seller: Person) {
  const { buyer, id, product } = await startConversation(shop, seller, "Is the lid scratched?");
  const { _id } = await upload(seller);
  await sendWith(seller, id, [_id]);
  return { buyer, id, product, photo: _id };
}

async function filesOf(shop: Shop, id: string) {
  const row = shop.deps.db.selectFrom("private_photos").select("name").where("id", "=", id);
  return privateNames((await row.executeTakeFirstOrThrow()).name);
}

test("a photo in a message has no public URL, and without a report or open case, only the conversation's members can see it", async ({
  shop,
  seller,
}) => {
  const { buyer, id, photo: sentPhoto } = await sent(shop, seller);
  const [newest] = await buyer.call(listMessages, { params: { id } });
  expect(newest?.photos).toEqual([{ _id: sentPhoto, width: 160, height: 120 }]);
  const [stranger, admin] = [await member(shop), await member(shop, { isAdmin: true })];
  expect(await statuses(sentPhoto, [buyer, seller, stranger, admin])).toEqual([200, 200, 404, 404]);
  const answer = await see(buyer, sentPhoto, "small");
  expect(answer.headers.get("content-type")).toBe("image/webp");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  const { large, small } = await filesOf(shop, sentPhoto);
  for (const name of [large, small, large.replace("private/", ""), sentPhoto])
    expect((await fetch(`${shop.url}/images/${name}`)).status).toBe(404);
  for (const name of [large, small]) {
    const folder = join(shop.deps.config.dataDir, "images", "private");
    const file = join(folder, name.slice(8, 10), name.slice(8));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }
  expect((await fetch(`${shop.url}/api/privatePhotos/${sentPhoto}`)).status).toBe(401);
  const { photos } = await seller.call(readOwnData, {});
  expect(photos.map(({ url }) => url)).toContain(`${shop.url}/api/privatePhotos/${sentPhoto}`);
});

test("an admin can see the photos in a reported conversation, and each view is recorded", async ({
  shop,
  seller,
}) => {
  const { buyer, id, photo: sentPhoto } = await sent(shop, seller);
  const admin = await member(shop, { isAdmin: true });
  const { insertedId } = await buyer.call(reportConversation, {
    params: { id },
    body: { comment: "Rude." },
  });
  const messages = await admin.call(readReportedMessages, { params: { id: insertedId } });
  expect(messages[0]?.photos).toHaveLength(1);
  const looks = async () =>
    (await admin.call(listAuditLog, { query: { objectId: id } })).filter(
      ({ verb, actor }) => verb === "read" && actor?._id === admin.id,
    ).length;
  const before = await looks();
  expect(await statuses(sentPhoto, [admin])).toEqual([200]);
  expect(await looks()).toBe(before + 1);
});

test("members can send only photos that they uploaded, each only once, and a buyer must hold the laptop first", async ({
  shop,
  seller,
}) => {
  const { buyer, id, product, photo: used } = await sent(shop, seller);
  expect(await errorOf(sendWith(seller, id, [used]))).toMatchObject({ code: "IMAGE_NOT_OURS" });
  const own = await upload(buyer);
  expect(await errorOf(sendWith(seller, id, [own._id]))).toMatchObject({ code: "IMAGE_NOT_OURS" });
  expect(await errorOf(sendWith(buyer, id, [own._id]))).toMatchObject({
    code: "STALE",
    message: "You can send photos once you hold this laptop.",
  });
  expect(await seller.call(listMessages, { params: { id } })).toHaveLength(2);
  await bookLaptop(buyer, product);
  await sendWith(buyer, id, [own._id]);
  expect(await statuses(own._id, [seller])).toEqual([200]);
});

test("erasing a deleted member also erases the private photos that they sent", async ({ shop }) => {
  const seller = await member(shop, { accountType: "seller" });
  const { buyer, photo: sentPhoto } = await sent(shop, seller);
  const { large } = await filesOf(shop, sentPhoto);
  await seller.call(deleteAccount, {});
  expect(await statuses(sentPhoto, [buyer])).toEqual([200]);
  const now = shop.clock.now();
  const later = new Date(now.getTime() + 1);
  await shop.deps.db.transaction().execute((tx) => eraseDeletedMembers(tx, later, now));
  expect(await statuses(sentPhoto, [buyer])).toEqual([404]);
  const rows = shop.deps.db.selectFrom("private_photos").select("id").where("id", "=", sentPhoto);
  expect(await rows.execute()).toEqual([]);
  await expect.poll(() => shop.deps.images.read(large)).toBeUndefined();
});

test("the number of unsent photos is limited, and unsent photos are deleted with their files after a day", async ({
  shop,
  seller,
}) => {
  const { photo: kept } = await sent(shop, seller);
  const { _id } = await upload(seller);
  const { db, clock, images } = shop.deps;
  const { large, small } = await filesOf(shop, _id);
  const { member_id } = await db
    .selectFrom("private_photos")
    .select("member_id")
    .where("id", "=", _id)
    .executeTakeFirstOrThrow();
  const size = { width: 1, height: 1, bytes: 1, uploaded_at: clock.now() };
  for (let count = 1; count < maxUnsentPhotos; count += 1)
    await db
      .insertInto("private_photos")
      .values({ ...size, id: randomUUID(), member_id, name: String(count).padStart(64, "0") })
      .execute();
  await expect(upload(seller)).rejects.toMatchObject({ code: "TOO_MANY_PHOTOS" });
  shop.clock.advance(24 * 60 + 1);
  await cleanUp(shop.deps);
  await expect.poll(() => images.read(large)).toBeUndefined();
  await expect.poll(() => images.read(small)).toBeUndefined();
  expect(await statuses(kept, [seller])).toEqual([200]);
  shop.clock.advance(540 * 24 * 60);
  await cleanUp(shop.deps);
  expect(await db.selectFrom("private_photos").select("id").execute()).toEqual([]);
});

dealTest()(
  "photos in a complaint are visible to the deal's buyer and seller and to admins, but not to other members",
  async ({ shop, seller }) => {
    const sale = await deal(shop, "handedOver", { seller });
    const { buyer, booking } = sale;
    const { _id } = await upload(buyer);
    const reason = "not_working" as const;
    await buyer.call(complain, {
      body: { bookingId: booking, reason, words: "Dead keys.", photos: [_id] },
    });
    const [admin, stranger] = [await member(shop, { isAdmin: true }), await member(shop)];
    expect(await statuses(_id, [buyer, seller, admin, stranger])).toEqual([200, 200, 200, 404]);
    const at = { params: { id: booking } };
    const { photos } = await seller.call(readComplaint, at);
    expect(photos).toEqual([{ _id, width: 160, height: 120 }]);
    await admin.call(decideComplaint, { ...at, body: { refund: 0, words: "It works." } });
    expect(await statuses(_id, [seller, admin])).toEqual([200, 200]);
  },
);
