/// <reference lib="dom" />
import { expect, type Page } from "@playwright/test";
import sharp from "sharp";
import { listSellerProducts } from "#contract/products.ts";
import { onePage } from "./add-product-form.ts";
import { fillLogin, readStorage, signIn, test, toastOf } from "./fixtures.ts";
import { countRequests, dropResponse } from "./network.ts";

test.describe("the Add Product draft", () => {
  test.use({ expectedErrors: [/status of 400|net::ERR_FAILED/] });

  test("§10.9: the Add Product draft survives a reload, and is deleted when the laptop is listed", async ({
    page,
    newSeller,
  }) => {
    const typed = {
      "Product Name": "ThinkPad X13",
      "Resale Price ($)": "410",
      "Original Price ($)": "1500",
      "Year of Purchase": "2022",
      "Use Duration (months)": "40",
      "Mobile Number": "5550142",
      Location: "Lund",
      "Product Description": "Battery at 90 %.",
    };
    await signIn(page, newSeller);
    await page.goto(onePage);
    for (const [label, value] of Object.entries(typed))
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByLabel("Category").selectOption("Lenovo");
    await page.getByLabel("Condition").selectOption("Fair");
    const preview = page.getByRole("img", { name: "Preview of your upload" });
    await paste(page, { name: "wide.png", type: "image/png", bytes: await redThenBlue() });
    await expect(preview).toBeVisible();
    const kept = () => page.evaluate(() => sessionStorage.getItem("draft product file"));
    await expect.poll(kept).not.toBeNull();
    await page.reload();
    for (const [label, value] of Object.entries(typed))
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
    await expect(page.getByLabel("Condition")).toHaveValue("Fair");
    await expect(preview).toBeVisible();

    await test.step("a file that is not a photo is rejected", async () => {
      const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") };
      await page.getByLabel("Photo", { exact: true }).setInputFiles(notes);
      await expect(page.getByLabel("Photo", { exact: true })).toHaveAccessibleDescription(
        "Your browser can't open that file. Choose a JPEG, PNG, WebP or AVIF photo.",
      );
    });

    await test.step("an error about a photo disappears when the seller chooses another photo", async () => {
      const photo = page.getByLabel("Photo", { exact: true });
      const wide = { name: "wide.png", mimeType: "image/png", buffer: await redThenBlue() };
      const hint = "JPEG, PNG, WebP or AVIF, up to 10 MB.";
      await photo.setInputFiles(wide);
      await expect(photo).toHaveAccessibleDescription(hint);
      await page.route(/\/upload/, (route) => route.abort(), { times: 1 });
      await page.getByRole("button", { name: "Add Product" }).click();
      await expect(photo).toHaveAccessibleDescription(
        "We couldn't upload the photo. Check your connection and try again.",
      );
      await photo.setInputFiles(wide);
      await expect(photo).toHaveAccessibleDescription(hint);
    });

    await test.step("the photo can be cropped to 4:3 by keyboard", async () => {
      await expect(preview).toBeVisible();
      await page.getByRole("group", { name: "Crop area" }).focus();
      for (let presses = 0; presses < 40; presses += 1) await page.keyboard.press("ArrowLeft");
    });

    const year = page.getByLabel("Year of Purchase");
    const expectRefused = async () => {
      await page.getByRole("button", { name: "Add Product" }).click();
      await expect(year).toBeFocused();
      await expect(year).toHaveAccessibleDescription(/^Year of purchase can.t be after \d+\.$/);
    };
    await test.step("a future year is rejected before the photo is uploaded", async () => {
      const uploads = countRequests(page, "POST", /\/upload/);
      await year.fill("2099");
      await expectRefused();
      expect(uploads()).toBe(0);
    });

    await test.step("a validation error from the server appears at its field", async () => {
      await page.clock.setFixedTime("2099-06-01");
      // With an implausible duration, the form would ask a question before sending.
      await page.getByLabel("Use Duration (months)").fill("4");
      await expectRefused();
      await page.clock.setFixedTime(new Date());
      await year.fill("2022");
    });

    await test.step("submitting again after a lost response lists the laptop once", async () => {
      await page.route("**/api/products", dropResponse, { times: 1 });
      await page.getByRole("button", { name: "Add Product" }).click();
      await expect(page.getByText(/We can.t reach the shop/).first()).toBeVisible();
      await page.getByRole("button", { name: "Add Product" }).click();
      await expect(toastOf(page, "Product ThinkPad X13 is added successfully")).toBeVisible();
    });

    await test.step("the shop stores the cropped photo", async () => {
      const params = { email: newSeller.email };
      const [product, ...others] = await newSeller.call(listSellerProducts, { params });
      expect(others).toEqual([]);
      const photo = sharp(await (await page.request.get(product?.img ?? "")).body());
      const { width = 0, height = 0 } = await photo.metadata();
      expect(width / height).toBeCloseTo(4 / 3, 2);
      const { dominant } = await photo.stats();
      expect(dominant.b).toBeGreaterThan(dominant.r);
    });

    await page.goto(onePage);
    await expect(page.getByLabel("Product Name")).toHaveValue("");
  });
});

test("§10.9: the booking draft survives a reload, but is deleted at sign-out, and in other tabs when another member signs in", async ({
  buyerPage: page,
  context,
  laptop,
  newSeller,
}) => {
  const address = `/categoryProducts/${laptop.category}?book=${laptop._id}`;
  await page.goto(address);
  await page.getByLabel("Meeting Location").fill("Malmö C, under the clock");
  await page.reload();
  await expect(page.getByLabel("Meeting Location")).toHaveValue("Malmö C, under the clock");
  const tab = await context.newPage();
  await tab.goto(address);
  await tab.getByLabel("Meeting Location").fill("Lund C");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(readStorage(page, "sessionStorage")).not.toContain("draft");
  await expect(tab).toHaveURL(/\/login/);
  await tab.reload();
  await expect(tab).toHaveURL(/\/login/);
  await expect.poll(readStorage(tab, "sessionStorage")).toContain("draft");
  await signIn(page, newSeller);
  await page.goto("/dashboard");
  await expect.poll(readStorage(tab, "sessionStorage")).not.toContain("draft");
});

test("§10.9: the booking draft survives an expired session, and is still there after the member logs in again", async ({
  buyerPage: page,
  buyer,
  laptop,
}) => {
  await page.goto(`/categoryProducts/${laptop.category}?book=${laptop._id}`);
  const place = page.getByLabel("Meeting Location");
  await place.fill("Malmö C, under the clock");
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, buyer);
  await expect(place).toHaveValue("Malmö C, under the clock");
});

async function redThenBlue(): Promise<Buffer> {
  const half = (background: string) =>
    sharp({ create: { width: 900, height: 450, channels: 3, background } })
      .png()
      .toBuffer();
  return await sharp({ create: { width: 1800, height: 450, channels: 3, background: "red" } })
    .composite([{ input: await half("blue"), left: 900, top: 0 }])
    .png()
    .toBuffer();
}

async function paste(page: Page, file: { name: string; type: string; bytes: Buffer }) {
  await page.evaluate(
    ({ name, type, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], name, { type }));
      document.body.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    },
    { name: file.name, type: file.type, base64: file.bytes.toString("base64") },
  );
}
