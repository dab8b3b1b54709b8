/// <reference lib="dom" />
import { expect } from "@playwright/test";
import { startS3 } from "#server/testing/s3.ts";
import { registerMember } from "./accounts.ts";
import { fillProduct, onePage } from "./add-product-form.ts";
import { test as base, rowOf, signIn, toastOf } from "./fixtures.ts";

const test = base.extend<{ s3: Awaited<ReturnType<typeof startS3>> }>({
  s3: async ({ playwright: _ }, use) => {
    const s3 = await startS3();
    await use(s3);
    await s3.close();
  },
  serverSettings: async ({ s3 }, use) =>
    use({ ...s3.env, S3_PUBLIC_URL: `${s3.url}/${s3.env.S3_BUCKET}` }),
});

test.use({ expectedErrors: [/status of 503/] });

test("a laptop's photo is stored in S3 and loaded from S3's public URL; while S3 is down, the form keeps its input", async ({
  page,
  ownServer,
  s3,
}) => {
  const seller = await registerMember(ownServer.url, "seller");
  await signIn(page, seller);
  await page.goto(`${ownServer.url}${onePage}`);
  const name = "Framework 13";
  await fillProduct(page, name);
  s3.fault = (_, response) => response.writeHead(500).end();
  await page.getByRole("button", { name: "Add Product" }).click();
  const sentence = "We can't reach our photo storage just now. Please try again in a minute.";
  await expect(page.getByLabel("Photo", { exact: true })).toHaveAccessibleDescription(sentence);
  await expect(page.getByLabel("Product Name")).toHaveValue(name);
  s3.fault = undefined;
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(toastOf(page, `Product ${name} is added successfully`)).toBeVisible();
  const image = rowOf(page, name).getByRole("img");
  await image.scrollIntoViewIfNeeded();
  await expect
    .poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
  const shown = await image.evaluate((img: HTMLImageElement) => img.currentSrc);
  expect(shown).toMatch(new RegExp(`^${s3.url}/photos/[0-9a-f]{64}-320\\.webp$`));
});
