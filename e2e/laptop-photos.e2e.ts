/// <reference lib="dom" />
import { expect, type Locator, type Page } from "@playwright/test";
import { readProduct } from "#contract/laptop-page.ts";
import { listSellerProducts } from "#contract/products.ts";
import { paths } from "#web/paths.ts";
import { listLaptop, uploadPhotos } from "./accounts.ts";
import { fillProduct, onePage } from "./add-product-form.ts";
import { phonePhoto, signIn, test, toastOf, waitForHydration } from "./fixtures.ts";

const photoIn = (page: Page, place: number) => page.locator(`#photo-${place}`);

test("a laptop's photos can be browsed by thumbnail or keyboard and enlarged, even at another host name", async ({
  page,
  seller,
  baseURL,
}) => {
  const images = await uploadPhotos(seller, 3);
  const { _id, product_name } = await listLaptop(seller, { img: String(images[0]), images });
  const elsewhere = new URL(paths.laptop(_id, product_name), baseURL);
  elsewhere.hostname = "localhost";
  await page.goto(elsewhere.href);
  await waitForHydration(page);
  const shown = photoIn(page, 1).getByRole("img", { name: product_name });
  await expect
    .poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
  await expect(shown).toHaveAttribute("src", /^\/images\//);
  await expect(photoIn(page, 1).getByRole("img", { name: "photo 1 of 3" })).toBeVisible();
  const [first, ...others] = await page.locator(".photo-strip picture img").all();
  await expect(first as Locator).toHaveAttribute("fetchpriority", "high");
  for (const other of others) await expect(other).toHaveAttribute("loading", "lazy");

  await test.step("clicking a thumbnail shows its photo", async () => {
    await page.getByRole("link", { name: "Photo 3", exact: true }).click();
    await expect(photoIn(page, 3)).toBeInViewport({ ratio: 0.9 });
    await expect(photoIn(page, 1)).not.toBeInViewport({ ratio: 0.01 });
    const current = page.locator(".photo-thumbs [aria-current=true]");
    await expect(current).toHaveAccessibleName("Photo 3");
  });
  await test.step("the left arrow key shows the previous photo", async () => {
    await photoIn(page, 3).getByRole("link").focus();
    await page.keyboard.press("ArrowLeft");
    await expect(photoIn(page, 2).getByRole("link")).toBeFocused();
    await expect(photoIn(page, 2)).toBeInViewport({ ratio: 0.9 });
  });
  await test.step("Enter enlarges a photo in a dialog", async () => {
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: product_name });
    await expect(dialog.getByRole("status")).toHaveText("Photo 2 of 3");
    await page.keyboard.press("ArrowRight");
    await expect(dialog.getByRole("status")).toHaveText("Photo 3 of 3");
    const photo = dialog.getByRole("img");
    const natural = () => photo.evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(natural).toBeGreaterThan(0);
    const width = () => photo.evaluate((image) => image.clientWidth);
    const before = await width();
    await dialog.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(width).toBe(before * 2);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(photoIn(page, 3)).toBeInViewport({ ratio: 0.9 });
  });
});

test.describe("Add Product with several pictures", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test("Add Product uploads several pictures, lets the seller retry one that failed, and lists them in the chosen order", async ({
    page,
    newSeller,
  }) => {
    await signIn(page, newSeller);
    await page.goto(onePage);
    await fillProduct(page, "Framework 13");
    const more = page.getByLabel("More pictures");
    const tile = (place: number) =>
      page
        .getByRole("listitem")
        .filter({ has: page.getByRole("img", { name: `Picture ${place}` }) });
    await page.route(/\/upload/, (route) => route.abort(), { times: 1 });
    await more.setInputFiles([await phonePhoto(), await phonePhoto(), await phonePhoto()]);
    await expect(tile(2).getByRole("alert")).toContainText("We couldn't upload the photo.");
    const kept = () => page.evaluate(() => sessionStorage.getItem("draft product") ?? "{}");
    const addresses = async () => JSON.parse(await kept()).pictures ?? [];
    await expect.poll(async () => (await addresses()).length).toBe(2);

    await test.step("a picture that failed to upload blocks submitting", async () => {
      await page.getByRole("button", { name: "Add Product" }).click();
      await expect(more).toBeFocused();
      await expect(more).toHaveAccessibleDescription(/^Some pictures aren't uploaded/);
      await expect(page.getByLabel("Product Name")).toHaveValue("Framework 13");
    });
    await tile(2).getByRole("button", { name: "Try again" }).click();
    await expect.poll(async () => (await addresses()).length).toBe(3);
    const [a, b, c] = await addresses();

    await test.step("pictures can be reordered by keyboard, and focus follows", async () => {
      const later = page.getByRole("button", { name: "Make picture 2 later" });
      await later.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("button", { name: "Make picture 3 later" })).toBeFocused();
      await expect.poll(addresses).toEqual([b, a, c]);
      await page.getByRole("button", { name: "Remove picture 4" }).click();
      await expect.poll(addresses).toEqual([b, a]);
    });
    await test.step("picture 2 becomes the cover", async () => {
      await page.getByRole("button", { name: "Make picture 2 the cover" }).click();
      await expect.poll(async () => (await addresses()).length).toBe(2);
      await expect.poll(async () => (await addresses())[0]).not.toBe(b);
      await expect.poll(async () => (await addresses())[1]).toBe(a);
    });
    const pictures = await addresses();
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(toastOf(page, "Product Framework 13 is added successfully")).toBeVisible();
    const params = { email: newSeller.email };
    const [product] = await newSeller.call(listSellerProducts, { params });
    const id = String(product?._id);
    const listed = await newSeller.call(readProduct, { params: { id } });
    const others: string[] = pictures;
    expect(listed).toMatchObject({ images: [product?.img, ...others] });

    await test.step("Edit Product shows the pictures and lets the seller remove one", async () => {
      await page.goto(paths.editProduct(id));
      const removals = page.getByRole("button", { name: /^Remove picture/ });
      await expect(async () => {
        if ((await removals.count()) === 2) await removals.first().click();
        await expect(removals).toHaveCount(1, { timeout: 5_000 });
      }).toPass();
      await page.getByRole("button", { name: "Make picture 2 the cover" }).click();
      await page.getByRole("button", { name: "Save Changes" }).click();
      await expect(page).toHaveURL(paths.myProducts());
      const changed = await newSeller.call(readProduct, { params: { id } });
      expect(changed).toMatchObject({ images: [others[1], product?.img] });
    });
  });

  test("files that aren't photos are named, and one that can't be opened has no Try again", async ({
    page,
    newSeller,
  }) => {
    await signIn(page, newSeller);
    await page.goto(onePage);
    const text = { mimeType: "application/pdf", buffer: Buffer.from("text") };
    const broken = { ...text, name: "broken.jpg", mimeType: "image/jpeg" };
    await page
      .getByLabel("More pictures")
      .setInputFiles([{ ...text, name: "a.pdf" }, broken, { ...text, name: "b.pdf" }]);
    const message =
      "Not added: a.pdf, b.pdf. Choose JPEG, PNG, WebP or AVIF photos of up to 10 MB.";
    await expect(toastOf(page, message)).toBeVisible();
    await expect(page.getByText("Your browser can't open that file.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove picture 2" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  });

  test("dropping several photos on Add Product fills the cover and the pictures, which survive a reload", async ({
    page,
    newSeller,
  }) => {
    await signIn(page, newSeller);
    await page.goto(onePage);
    const bytes = [await phonePhoto(), await phonePhoto(), await phonePhoto()];
    await drop(
      page,
      bytes.map(({ buffer }) => buffer),
    );
    await expect(page.getByRole("img", { name: "Preview of your upload" })).toBeVisible();
    for (const place of [2, 3])
      await expect(page.getByRole("img", { name: `Picture ${place}` })).toBeVisible();
    const kept = (name: string) => page.evaluate((key) => sessionStorage.getItem(key), name);
    await expect.poll(() => kept("draft product file")).not.toBeNull();
    const pictures = async () => JSON.parse((await kept("draft product")) ?? "{}").pictures;
    await expect.poll(pictures).toHaveLength(2);
    await page.reload();
    await expect(page.getByRole("img", { name: "Preview of your upload" })).toBeVisible();
    for (const place of [2, 3])
      await expect(page.getByRole("img", { name: `Picture ${place}` })).toBeVisible();
  });
});

async function drop(page: Page, files: Buffer[]): Promise<void> {
  await page.getByLabel("Product Name").focus();
  await page.evaluate(
    (all) => {
      const dataTransfer = new DataTransfer();
      for (const [index, base64] of all.entries()) {
        const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
        const name = `${index}.jpg`;
        dataTransfer.items.add(new File([bytes], name, { type: "image/jpeg" }));
      }
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
      );
    },
    files.map((file) => file.toString("base64")),
  );
}
