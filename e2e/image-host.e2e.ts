/// <reference lib="dom" />
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { expect } from "@playwright/test";
import { listSellerProducts } from "#contract/products.ts";
import { startHost } from "#server/testing/photo-stores.ts";
import { registerMember } from "./accounts.ts";
import { expectFilledProduct, fillProduct, onePage } from "./add-product-form.ts";
import { test as base, rowOf, signIn, toastOf } from "./fixtures.ts";

const test = base.extend<{ host: Awaited<ReturnType<typeof startHost>> }>({
  host: async ({ playwright: _ }, use) => {
    const host = await startHost();
    await use(host);
    await host.close();
  },
  serverSettings: async ({ host }, use) => use(host.env),
});

test.use({
  expectedErrors: [/status of (400|500|503)|net::ERR_(EMPTY_RESPONSE|CONNECTION_RESET)/],
});

test("§7.10: the browser uploads a photo directly to the image host, and the form keeps its values after a failure", async ({
  page,
  ownServer,
  host,
}) => {
  const seller = await registerMember(ownServer.url, "seller");
  await signIn(page, seller);
  await page.goto(`${ownServer.url}${onePage}`);
  const name = "Framework 13";
  await fillProduct(page, name);
  const add = async (fault: typeof host.fault) => {
    host.fault = fault;
    await page.getByRole("button", { name: "Add Product" }).click();
  };
  const photo = page.getByLabel("Photo", { exact: true });
  for (const failure of failures) {
    await add(failure);
    await expect(photo).toHaveAccessibleDescription(
      "We couldn't upload the photo. Check your connection and try again.",
    );
    await add((_, response) => response.writeHead(400, cors).end(JSON.stringify(refusal)));
    await expect(photo).toHaveAccessibleDescription(
      "The image host did not take the photo. Its answer: Rate limit reached.",
    );
  }
  await expectFilledProduct(page, name);
  await test.step("the image host does not respond, and then closes the connection", async () => {
    const { promise: received, resolve } = Promise.withResolvers<ServerResponse>();
    await add((_, response) => resolve(response));
    const response = await received;
    await expect(page.getByRole("progressbar", { name: "Photo upload" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Add Product" })).toBeDisabled();
    await expectFilledProduct(page, name);
    // Chromium retries the request once, so the second connection must fail too.
    host.fault = (_, again) => again.destroy();
    response.destroy();
    await expect(photo).toHaveAccessibleDescription(
      "We couldn't upload the photo. Check your connection and try again.",
    );
    await expectFilledProduct(page, name);
  });
  await test.step("the image host goes down after the upload, so our server can't check the photo", async () => {
    await add((request, response) => {
      if (request.method === "GET") return void response.destroy();
      const url = `${host.url}/${randomUUID()}/photo.jpg`;
      response.writeHead(200, cors).end(JSON.stringify({ success: true, data: { url } }));
    });
    await expect(photo).toHaveAccessibleDescription(
      "The image host does not answer just now. Please try again in a minute.",
    );
    await expectFilledProduct(page, name);
  });
  const upload = page.waitForRequest(`${host.url}/1/upload?key=a-key`);
  await add(undefined);
  const headers = await (await upload).allHeaders();
  expect(headers["content-type"]).toContain("multipart/form-data");
  expect(headers).not.toHaveProperty("authorization");
  expect(headers).not.toHaveProperty("cookie");
  await expect(toastOf(page, `Product ${name} is added successfully`)).toBeVisible();
  expect(host.requests.filter((one) => one.startsWith("OPTIONS"))).toEqual([]);
  const image = rowOf(page, name).getByRole("img");
  await image.scrollIntoViewIfNeeded();
  await expect
    .poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
  const [product] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(product?.img).toMatch(new RegExp(`^${host.url}/\\w+/photo\\.\\w+$`));
  await expect(image).toHaveAttribute("src", product?.img ?? "");
});

const cors = { "access-control-allow-origin": "*" };
const refusal = { status_code: 400, error: { message: "Rate limit reached.", code: 100 } };
const failures: Awaited<ReturnType<typeof startHost>>["fault"][] = [
  (_, response) => response.writeHead(500, cors).end("<h1>Internal Server Error</h1>"),
  (_, response) => response.writeHead(200, cors).end("garbage"),
  (_, response) => response.destroy(),
];
