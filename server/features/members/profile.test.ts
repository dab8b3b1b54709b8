import sharp from "sharp";
import { describe, expect } from "vitest";
import { listCategoryProducts } from "#contract/categories.ts";
import { send } from "#contract/client.ts";
import { updateProfile } from "#contract/members.ts";
import { logIn, signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing, photo } from "../../testing/marketplace.ts";
import { anyCategory, createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

async function uploadPhoto(shop: Shop, token: string | undefined, bytes: Buffer) {
  const body = new FormData();
  body.append("image", new Blob([new Uint8Array(bytes)]), "me.jpg");
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${shop.url}/api/users/photo`, { method: "POST", body, headers });
  const { data, code } = (await answer.json()) as { data?: { url: string }; code?: string };
  return { status: answer.status, url: data?.url ?? "", code };
}

async function photoOf(shop: Shop, person: Pick<Person, "token">): Promise<string> {
  return (await uploadPhoto(shop, await person.token(), await photo())).url;
}

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
    const url = await photoOf(shop, someone);
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
    const photoURL = await photoOf(shop, { token: async () => connection.token() });
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
    const other = await photoOf(shop, await member(shop));
    const own = new URL(await photoOf(shop, someone)).pathname;
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
      const { status, url } = await uploadPhoto(shop, await person.token(), wide);
      expect(status).toBe(200);
      const kept = sharp(Buffer.from(await (await fetch(url)).arrayBuffer()));
      expect(await kept.metadata()).toMatchObject({ width: 256, height: 256, format: "jpeg" });
      // The crop keeps only the green middle third.
      const { channels } = await kept.stats();
      expect(channels.map(({ mean }) => Math.round(mean / 64))).toEqual([0, 3, 0]);
    }
  });

  test("uploading a file that isn't an image fails with 400, and uploading without signing in fails with 401", async ({
    shop,
  }) => {
    const token = await (await member(shop)).token();
    const page = Buffer.from("<html></html>");
    expect(await uploadPhoto(shop, token, page)).toMatchObject({
      status: 400,
      code: "NOT_AN_IMAGE",
    });
    expect(await uploadPhoto(shop, undefined, await photo())).toMatchObject({ status: 401 });
  });
});

async function square(background: string): Promise<Buffer> {
  return await sharp({ create: { width: 200, height: 200, channels: 3, background } })
    .png()
    .toBuffer();
}
