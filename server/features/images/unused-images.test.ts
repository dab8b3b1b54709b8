import { describe, expect, vi } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { updateProfile } from "#contract/members.ts";
import { addProduct, deleteProduct } from "#contract/products.ts";
import { reportProduct } from "#contract/reports.ts";
import { shopTest } from "../../testing/fixtures.ts";
import {
  draftListing,
  listing,
  newPhoto,
  photo,
  sendPhoto,
  storedVersions,
} from "../../testing/marketplace.ts";
import { errorOf, member } from "../../testing/people.ts";
import { countLockWaits } from "../../testing/test-connections.ts";
import { cleanUp } from "../retention/clean-up.ts";

const test = shopTest({ worker: true });

describe("an unused photo", () => {
  const aDay = 24 * 60 + 1;
  const isKept = async (url: string) => {
    const answers = await storedVersions(url);
    return answers.map(({ status }) => status);
  };
  const [there, gone] = [
    [200, 200, 200, 200],
    [404, 404, 404, 404],
  ];

  test("a photo is deleted after a day only if it is unused", async ({ shop, seller }) => {
    const unused = (await sendPhoto(seller, await photo())).url;
    const body = await draftListing(seller, { img: await newPhoto(seller) });
    await seller.call(addProduct, { body });
    await cleanUp(shop.deps);
    expect(await isKept(unused)).toEqual(there);
    shop.clock.advance(aDay);
    await cleanUp(shop.deps);
    await expect.poll(() => isKept(unused)).toEqual(gone);
    expect(await isKept(body.img)).toEqual(there);
    const admin = await member(shop, { isAdmin: true });
    const [last, ...others] = await admin.call(listAuditLog, {
      query: { object: "image", limit: 1 },
    });
    expect([last?.verb, last?.actor, others]).toEqual(["forget", null, []]);
    const late = seller.call(addProduct, { body: { ...body, img: unused } });
    expect(await errorOf(late)).toMatchObject({ code: "IMAGE_NOT_OURS" });
  });

  test("a photo is deleted after its listing is deleted, unless the listing was reported", async ({
    shop,
    seller,
  }) => {
    const list = async () => await listing(seller, { img: await newPhoto(seller) });
    const products = [await list(), await list()];
    const [deleted = "", reported = ""] = products;
    const buyer = await member(shop);
    const body = { comment: "Stolen.", reportProduct: { _id: reported } };
    await buyer.call(reportProduct, { body });
    for (const id of products) await seller.call(deleteProduct, { params: { id } });
    shop.clock.advance(aDay);
    await cleanUp(shop.deps);
    const imgOf = async (id: string) => {
      const rows = shop.deps.db.selectFrom("products").select("img").where("id", "=", id);
      return `${shop.url}${(await rows.executeTakeFirstOrThrow()).img}`;
    };
    const url = await imgOf(deleted);
    await expect.poll(() => isKept(url)).toEqual(gone);
    expect(await isKept(await imgOf(reported))).toEqual(there);
  });

  test("a photo kept by an earlier check is deleted once no listing or profile shows it", async ({
    shop,
  }) => {
    const owner = await member(shop, { accountType: "seller" });
    const img = await newPhoto(owner);
    const product = await listing(owner, { img });
    const { url: face } = await sendPhoto(owner, await photo());
    await owner.call(updateProfile, { body: { name: owner.name, photoURL: face } });
    shop.clock.advance(aDay);
    await cleanUp(shop.deps);
    const owned = shop.deps.db.selectFrom("images").where("member_id", "=", owner.id);
    const checks = await owned
      .select("needs_check")
      .where("created_at", "<", shop.clock.now())
      .execute();
    expect(checks).toContainEqual({ needs_check: false });
    expect([await isKept(img), await isKept(face)]).toEqual([there, there]);
    await owner.call(deleteProduct, { params: { id: product } });
    await owner.call(updateProfile, { body: { name: owner.name, photoURL: null } });
    await cleanUp(shop.deps);
    await expect.poll(() => isKept(img)).toEqual(gone);
    await expect.poll(() => isKept(face)).toEqual(gone);
  });

  test("a photo is checked again if its listing is deleted during the check", async ({
    shop,
    seller,
  }) => {
    const { db } = shop.deps;
    const img = await newPhoto(seller);
    const product = await listing(seller, { img });
    const sha256 = /[0-9a-f]{64}/.exec(img)?.[0] ?? "";
    const { deleting } = await db.transaction().execute(async (tx) => {
      await tx
        .updateTable("images")
        .set({ needs_check: false })
        .where("sha256", "=", sha256)
        .execute();
      const deleting = seller.call(deleteProduct, { params: { id: product } });
      let answered = false;
      void deleting.finally(() => (answered = true));
      // The deletion has to begin before this transaction ends.
      await expect.poll(async () => answered || (await countLockWaits(shop.pool)) === 1).toBe(true);
      return { deleting };
    });
    await deleting;
    const image = db.selectFrom("images").select("needs_check").where("sha256", "=", sha256);
    expect(await image.executeTakeFirstOrThrow()).toEqual({ needs_check: true });
  });

  test("an unused photo stays another day if it is uploaded again", async ({ shop, seller }) => {
    const same = await photo();
    const { url } = await sendPhoto(seller, same);
    shop.clock.advance(aDay);
    await sendPhoto(seller, same);
    await cleanUp(shop.deps);
    const body = await draftListing(seller, { img: url });
    expect(await seller.call(addProduct, { body })).toMatchObject({ acknowledged: true });
  });

  test("a photo's files stay while another member has the same photo", async ({ shop, seller }) => {
    const same = await photo();
    const other = await member(shop, { accountType: "seller" });
    const { url } = await sendPhoto(seller, same);
    shop.clock.advance(aDay);
    expect((await sendPhoto(other, same)).url).toBe(url);
    await cleanUp(shop.deps);
    expect(await isKept(url)).toEqual(there);
  });

  test("a photo's files stay if another member uploads the same photo during the deletion", async ({
    shop,
    seller,
  }) => {
    const same = await photo();
    const other = await member(shop, { accountType: "seller" });
    const { url } = await sendPhoto(seller, same);
    shop.clock.advance(aDay);
    let rival: ReturnType<typeof sendPhoto> | undefined;
    const remove = shop.deps.images.delete;
    vi.spyOn(shop.deps.images, "delete").mockImplementation(async (name) => {
      if (rival === undefined) {
        let answered = false;
        rival = sendPhoto(other, same).finally(() => (answered = true));
        // The upload has to run or wait for a lock before the files are deleted.
        await expect.poll(async () => answered || (await countLockWaits(shop.pool)) > 0).toBe(true);
      }
      await remove(name);
    });
    await cleanUp(shop.deps);
    await expect.poll(() => rival).toBeDefined();
    expect((await rival)?.url).toBe(url);
    expect(await isKept(url)).toEqual(there);
    vi.restoreAllMocks();
  });
});
