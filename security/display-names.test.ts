import { expect, test } from "vitest";
import { send } from "#contract/client.ts";
import {
  joinAsMember,
  newUser,
  profileForm,
  updateProfile,
  upsertMember,
} from "#contract/members.ts";
import { addProductForm, newProduct } from "#contract/products.ts";
import { openBrowser, signUpIn } from "#server/testing/browser.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { errorOf, member } from "#server/testing/people.ts";

const testAtShop = shopTest();

const names = {
  "a member's name": newUser.shape.name,
  "a changed name": profileForm.shape.name,
  "a product's name": newProduct.shape.product_name,
  "the form's product name": addProductForm.shape.productName,
};

test.each(Object.entries(names))("%s can't contain a web or email address", (_, name) => {
  for (const written of [
    "PayPal: your account is locked. Verify at https://evil.example/login",
    "see paypal-support.example",
    "t.co/abc",
    "www.evil",
    "help@evil.example",
    "mailto:help",
    "evil\u3002com",
    "ｅｖｉｌ．ｃｏｍ",
    "evil\u00ad.com",
  ]) {
    const { success, error } = name.safeParse(written);
    expect(success, written).toBe(false);
    expect(error?.issues[0]?.message).toBe(
      "Please leave out web and email addresses. After a period, add a space.",
    );
  }
});

test.each(Object.entries(names))(
  "%s can't contain control characters or bidirectional overrides",
  (_, name) => {
    for (const character of ["\u0000", "\u001b", "\u202e", "\u2066"])
      expect(name.safeParse(`Think${character}Pad`).success).toBe(false);
  },
);

test("real names of people and laptops are accepted as a product's name", () => {
  for (const written of [
    "J. R. R. Tolkien",
    "J.Smith",
    "Dr. Zoë O'Neil-Márquez",
    "Chuwi LapBook 12.3",
    'Chuwi LapBook 15.6" FHD',
    "Asus FX502VM-AS73 (i7-7700HQ/16GB/1TB + 128GB SSD/GeForce GTX 1060/FHD/W10)",
    "Lenovo V110-15ISK (i3-6006U/4GB/1TB/No OS)",
    "HP 15-bw003nv (A9-Series-9420/4GB/256GB/FHD/W10)",
    "Intel Core i5 7200U @ 2.5GHz, v1.2",
    "Dell i7@2.8GHz",
    "Vostro 3568: 8 GB, 256 GB SSD.",
  ])
    expect(newProduct.shape.product_name.safeParse(written).success, written).toBe(true);
});

test("a name that is far too long is rejected quickly", () => {
  const before = process.threadCpuUsage();
  expect(newProduct.shape.product_name.safeParse("a".repeat(200_000)).success).toBe(false);
  // Measures CPU time, because other processes don't affect it.
  expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
});

const refusal = "Use a name without a phone number or other contact details.";

testAtShop("a member's name can't contain a phone number or messenger name", async ({ shop }) => {
  const someone = await member(shop);
  const email = "anna@example.com";
  const { connection } = await signUpIn(shop.url, email);
  for (const name of ["Anna 503 555 0100", "Anna five0three 555 01zero0", "Telegram: anna_1"]) {
    const body = { name, email, accountType: "buyer" as const };
    for (const use of [
      () => someone.call(updateProfile, { body: { name } }),
      () => send(connection, joinAsMember, { body }),
      () => send(connection, upsertMember, { body }),
    ])
      expect(await errorOf(use()), name).toMatchObject({
        status: 400,
        code: "INVALID_INPUT",
        fields: { name: refusal },
      });
    const person = { name, email: "other@example.com", password: "Secret#2026" };
    const signUp = await openBrowser(shop.url).post("/sign-up/email", person);
    expect([signUp.status, await signUp.json()]).toMatchObject([400, { message: refusal }]);
  }
});

testAtShop("a member can't be renamed to a phone number by signing in again", async ({ shop }) => {
  const email = "again@example.com";
  const { connection } = await signUpIn(shop.url, email);
  const call = (name: string) =>
    send(connection, upsertMember, { body: { name, email, accountType: "buyer" } });
  await call("Anna");
  expect(await errorOf(call("Anna 503 555 0100"))).toMatchObject({ fields: { name: refusal } });
  expect((await call("Anna")).body.modifiedCount).toBe(0);
});

testAtShop("a member's name may contain a few digits", async ({ shop }) => {
  const someone = await member(shop);
  for (const name of ["Agent 47", "R2D2", "Anna 1990", "J. R. R. Tolkien", "J.Smith"])
    expect(await someone.call(updateProfile, { body: { name } })).toMatchObject({ name });
});
