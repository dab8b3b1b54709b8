import sharp from "sharp";
import { describe, expect } from "vitest";
import { listCategoryProducts } from "#contract/categories.ts";
import { send } from "#contract/client.ts";
import { updateProfile } from "#contract/members.ts";
import { logIn, signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { type Caller, callsOver, listing, photo, uploadForm } from "../../testing/marketplace.ts";
import { anyCategory, createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

async function upload(who: Caller, bytes: Buffer): Promise<string> {
  const answer = await uploadForm(who, "/users/photo", bytes);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: { url: string } }).data.url;
}

const photoOf = async (who: Caller) => await upload(who, await photo());

async function auditOf(shop: Shop, { id }: Person) {
  return await shop.deps.db
    .selectFrom("audit_log")
    .select(["verb", "actor_id"])
    .where("object_id", "=", id)
    .execute();
}

describe("a profile", () => {
  test("§4.2: a member can change their name and photo separately, and each change adds one audit row", async ({
    shop,
  }) => {
    const someone = await member(shop);
    const change = (body: { name: string; photoURL?: string | null }) =>
      someone.call(updateProfile, { body });
    expect(await change({ name: "  Ada Lovelace " })).toEqual({
      acknowledged: true,
      name: "Ada Lovelace",
      photoURL: null,
    });
    const url = await photoOf(someone);
    expect(await change({ name: "Ada", photoURL: url })).toMatchObject({ photoURL: url });
    expect(await change({ name: "Ada L." })).toMatchObject({ name: "Ada L.", photoURL: url });
    expect(await change({ name: "Ada L.", photoURL: null })).toMatchObject({ photoURL: null });
    expect(await auditOf(shop, someone)).toEqual(
      Array.from({ length: 4 }, () => ({ verb: "update profile", actor_id: someone.id })),
    );
  });

  test("a changed name and photo also appear in the identity service", async ({ shop }) => {
    const email = "profile@example.com";
    const connection = await signUpAt(shop.url, email, "buyer");
    const photoURL = await photoOf(callsOver(connection));
    await send(connection, updateProfile, { body: { name: "Grace Hopper", photoURL } });
    const { browser } = await logIn(shop.url, email);
    const { pathname: image } = new URL(photoURL);
    expect(await browser.user()).toMatchObject({ name: "Grace Hopper", image });
  });

  test("a seller's new name also appears on their products", async ({ shop }) => {
    const seller = await member(shop, { accountType: "seller" });
    const product = await listing(seller);
    const params = { id: await anyCategory(shop) };
    const shown = async () => {
      const products = await createVisitor(shop).call(listCategoryProducts, { params });
      return products.find(({ _id }) => _id === product)?.seller_name;
    };
    expect(await shown()).toBe(seller.name);
    await seller.call(updateProfile, { body: { name: "A New Name" } });
    await expect.poll(shown).toBe("A New Name");
  });

  test("a profile photo is rejected if the member didn't upload it to the shop", async ({
    shop,
  }) => {
    const someone = await member(shop);
    const other = await photoOf(await member(shop));
    const own = new URL(await photoOf(someone)).pathname;
    const wrong = [other, `https://evil.example${own}`, "https://evil.example/pixel.jpg"];
    for (const photoURL of wrong) {
      const body = { name: "Ada", photoURL };
      expect(await errorOf(someone.call(updateProfile, { body }))).toMatchObject({
        status: 400,
        code: "IMAGE_NOT_OURS",
        fields: { photoURL: expect.any(String) },
      });
    }
    expect(await auditOf(shop, someone)).toEqual([]);
  });
});

describe("a profile photo", () => {
  test("a profile photo is cropped to a centered square, for members and admins", async ({
    shop,
  }) => {
    const wide = await sharp({
      create: { width: 600, height: 200, channels: 3, background: "#c00" },
    })
      .composite([{ input: await square("#0c0"), left: 200, top: 0 }])
      .withMetadata({ orientation: 6 })
      .png()
      .toBuffer();
    for (const person of [await member(shop), await member(shop, { isAdmin: true })]) {
      const kept = sharp(await (await fetch(await upload(person, wide))).bytes());
      expect(await kept.metadata()).toMatchObject({ width: 256, height: 256, format: "jpeg" });
      // The crop keeps only the green middle third.
      const { channels } = await kept.stats();
      expect(channels.map(({ mean }) => Math.round(mean / 64))).toEqual([0, 3, 0]);
    }
  });
});

async function square(background: string): Promise<Buffer> {
  return await sharp({ create: { width: 200, height: 200, channels: 3, background } })
    .png()
    .toBuffer();
}
