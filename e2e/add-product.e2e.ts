import { expect, type Page } from "@playwright/test";
import { listSellerProducts } from "#contract/products.ts";
import { fixture } from "#web/features/products/listing-form/machine-report/test-reports.ts";
import { paths } from "#web/paths.ts";
import { fillProduct, onePage, openAddProduct, sendProduct } from "./add-product-form.ts";
import { phonePhoto, readStorage, rowOf, signIn, test, toastOf } from "./fixtures.ts";
import { countRequests, delayResponses } from "./network.ts";

test.describe("the Add Product form", () => {
  test.use({ role: "seller" });

  const numeric = [
    "Resale Price ($)",
    "Original Price ($)",
    "Year of Purchase",
    "Use Duration (months)",
  ];

  const rules: Record<string, [label: string, message: string]> = {
    "§5.3.1": ["Product Name", "Name is Required."],
    "§5.3.2": ["Resale Price ($)", "Resale price is required."],
    "§5.3.3": ["Original Price ($)", "Original price is required."],
    "§5.3.4": ["Year of Purchase", "Year of purchase is required."],
    "§5.3.5": ["Use Duration (months)", "Duration of use is required."],
    "§5.3.6": ["Mobile Number", "Mobile number is required."],
    "§5.3.7": ["Location", "Location is required."],
    "§5.3.9": ["Category", "Choose a category."],
    "§5.3.10": ["Condition", "Choose a condition: Excellent, Good or Fair."],
    "§5.3.11": ["Product Description", "Product description is required."],
    "§5.3.12": ["Photo", "Photo is Required."],
  };

  test("§2.3.8: Add Product shows a message at each empty required field and submits nothing", async ({
    page,
  }) => {
    const sent = countRequests(page, "POST", /./);
    await page.goto(onePage);
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByLabel("Photo", { exact: true })).toBeFocused();
    for (const [row, [label, message]] of Object.entries(rules)) {
      await test.step(`${row}: an empty field shows: ${message}`, async () => {
        await expect
          .soft(page.getByLabel(label, { exact: true }))
          .toHaveAccessibleDescription(message);
      });
    }
    expect(sent()).toBe(0);

    await test.step("a message appears directly below its field, even when two fields share a row", async () => {
      const field = await page.getByLabel("Location", { exact: true }).boundingBox();
      const message = await page.getByText("Location is required.").boundingBox();
      const gap = Number(message?.y) - Number(field?.y) - Number(field?.height);
      expect(gap).toBeGreaterThanOrEqual(0);
      expect(gap).toBeLessThan(8);
    });

    await test.step("§5.3.8 §9.4: the fields for prices, year, duration and mobile number are numeric", async () => {
      for (const label of numeric)
        await expect.soft(page.getByLabel(label)).toHaveAttribute("type", "number");
      const mobile = page.getByLabel("Mobile Number");
      await expect.soft(mobile).toHaveAttribute("inputmode", "tel");
      await mobile.pressSequentially("abc503x555y0142");
      await expect.soft(mobile).toHaveValue("5035550142");
    });

    await test.step("a non-numeric value in a number field shows a message with an example", async () => {
      const said = {
        "Resale Price ($)": "Resale price must be a number, such as 450 or 449.99.",
        "Original Price ($)": "Original price must be a number, such as 450 or 449.99.",
        "Year of Purchase": "Year of purchase must be a whole number, such as 2022.",
        "Use Duration (months)": "Duration of use must be a whole number of months, such as 18.",
      };
      for (const [label, message] of Object.entries(said)) {
        const field = page.getByLabel(label, { exact: true });
        await field.pressSequentially("1-2");
        await expect.soft(field).toHaveAccessibleDescription(message);
      }
      await page.getByLabel("Year of Purchase").fill("1984");
      await expect
        .soft(page.getByLabel("Year of Purchase"))
        .toHaveAccessibleDescription("Year of purchase can't be before 1985.");
    });

    await test.step("§5.3.13: Seller Name is read-only and shows the account's name", async () => {
      await expect.soft(page.getByLabel("Seller Name")).toHaveValue("Marta Lindqvist");
      await expect.soft(page.getByLabel("Seller Name")).not.toBeEditable();
    });

    await test.step("§5.3.10 §9.2: Condition offers Excellent, Good and Fair, with no default", async () => {
      const options = page.getByLabel("Condition").getByRole("option");
      await expect.soft(page.getByLabel("Condition")).toHaveValue("");
      await expect.soft(options).toHaveText(["Choose a condition", "Excellent", "Good", "Fair"]);
    });

    await test.step("choosing a laptop model by keyboard fills in its fixed facts and suggests processors", () =>
      chooseModels(page));
  });
});

test("§2.3.8 §8.6.3 §7.9 §7.10: Add Product previews and uploads the photo, lists the laptop and shows a toast", async ({
  page,
  newSeller,
}) => {
  await openAddProduct(page, newSeller);
  const name = "Framework 13";
  await fillProduct(page, name);
  await expect(page.getByRole("img", { name: "Preview of your upload" })).toBeVisible();
  const release = await delayResponses(page, "**/api/images/1/upload*");
  const upload = page.waitForRequest(/\/api\/images\/1\/upload\?key=/);
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByRole("progressbar", { name: "Photo upload" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add Product" })).toBeDisabled();
  const { "content-type": type } = (await upload).headers();
  expect(type).toContain("multipart/form-data");
  const listed = page.waitForRequest("**/api/products");
  release();
  const body = (await listed).postDataJSON();
  expect.soft(Object.keys(body).sort()).toEqual(specified.toSorted());
  await expect(toastOf(page, `Product ${name} is added successfully`)).toBeVisible();
  await expect(page).toHaveURL("/dashboard/myProducts");
  await expect(rowOf(page, name)).toContainText("$1,020");
  const [product] = await newSeller.call(listSellerProducts, {
    params: { email: newSeller.email },
  });
  expect(product).toMatchObject({
    product_name: name,
    condition: "Fair",
    resale_price: 1020,
    original_price: 1800,
    use_duration: 12,
    yearOf_purchase: 2024,
    mobile_number: "503-555-0142",
    location: "Malmö",
    description: "Battery at 91 %.",
    sellerEmail: newSeller.email,
    seller_name: newSeller.name,
    sales_status: "available",
    advertise: false,
    verify: false,
  });
});

test("Add Product collapses the optional facts, and expands them if one has an error", async ({
  page,
  newSeller,
}) => {
  await openAddProduct(page, newSeller);
  await fillProduct(page, "ThinkPad T14");
  const moreDetails = page.getByText("More details");
  await expect(page.getByLabel("Memory (GB)")).toBeHidden();
  await moreDetails.click();
  await page.getByLabel("Processor").fill("AMD Ryzen 7 PRO 7840U");
  await page.getByLabel("Memory (GB)").fill("32");
  await page.getByLabel("Screen resolution").fill("wide");
  await page.getByLabel("USB-C").check();
  await page.getByLabel("HDMI").check();
  await moreDetails.click();
  await expect(page.getByLabel("Memory (GB)")).toBeHidden();
  await page.getByRole("button", { name: "Add Product" }).click();
  const resolution = page.getByLabel("Screen resolution");
  await expect(resolution).toBeFocused();
  await expect(resolution).toHaveAccessibleDescription(
    "Screen resolution must be width × height, such as 1920 × 1080.",
  );
  await resolution.fill("1920 × 1200");

  await test.step("implausible numbers are questioned, but accepted when the button is pressed again", async () => {
    await page.getByLabel("Resale Price").fill("4300");
    await page.getByLabel("Duration").fill("600");
    const sent = countRequests(page, "POST", /\/api\/products$/);
    await page.getByRole("button", { name: "Add Product" }).click();
    const asked = page.getByRole("alert");
    await expect(asked).toContainText("Resale price is more than it cost new. Is that right?");
    await expect(asked).toContainText("It has been used for 600 months");
    expect(sent()).toBe(0);
  });
  const { facts } = JSON.parse(await sendProduct(page));
  expect(facts).toEqual({
    cpu: "AMD Ryzen 7 PRO 7840U",
    ram_gb: 32,
    screen_width: 1920,
    screen_height: 1200,
    ports: ["USB-C", "HDMI"],
  });
  await expect(page).toHaveURL("/dashboard/myProducts");
  await expect(rowOf(page, "ThinkPad T14")).toContainText("$4,300");
});

test("Add Product keeps its values across steps, Back, a reload and the one-page form", async ({
  page,
  newSeller,
}) => {
  await signIn(page, newSeller);
  await page.goto(paths.addProduct());
  const step = (name: string) =>
    page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name });
  const expectStep = async (name: string) => {
    await expect(page.getByRole("heading", { name, exact: true })).toBeFocused();
    await expect(page.getByRole("heading", { level: 2 })).toHaveText([name]);
    await expect(step(name)).toHaveAttribute("aria-current", "step");
  };
  const next = page.getByRole("button", { name: "Continue" });
  const name = page.getByLabel("Product Name");

  await test.step("Continue requires the fields of the current step", async () => {
    await next.click();
    const photo = page.getByLabel("Photo", { exact: true });
    await expect(photo).toBeFocused();
    await expect(photo).toHaveAccessibleDescription("Photo is Required.");
    await photo.setInputFiles(await phonePhoto());
    await next.click();
    await expectStep("Model and report");
    await expect(step("Photos, complete")).toBeVisible();
  });

  await test.step("the browser's Back and Forward buttons move between steps", async () => {
    await name.fill("Framework 13");
    await page.goBack();
    await expectStep("Photos");
    await page.goForward();
    await expectStep("Model and report");
    await expect(name).toHaveValue("Framework 13");
  });

  await test.step("the current step and its input survive a reload", async () => {
    await expect.poll(readStorage(page, "sessionStorage")).toContain("draft product file");
    await page.reload();
    await expect(name).toHaveValue("Framework 13");
    await expect(step("Photos, complete")).toBeVisible();
    await page.getByLabel("Category").selectOption("Framework");
    await name.press("Enter");
    await expectStep("Condition");
  });

  await test.step("submitting opens the first step that has an error", async () => {
    await step("Contact").click();
    await page.getByLabel("Mobile Number").fill("503-555-0142");
    await page.getByLabel("Location").fill("Portland");
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(step("Condition")).toHaveAttribute("aria-current", "step");
    await expect(page.getByLabel("Condition")).toBeFocused();
  });

  await test.step("a link shows every step on one page", async () => {
    await page.getByRole("link", { name: "Show all on one page" }).click();
    await expect(page.getByRole("heading", { level: 2 })).toHaveCount(5);
    await expect(name).toHaveValue("Framework 13");
    await page.getByRole("link", { name: "Show one step at a time" }).click();
    await expectStep("Photos");
  });
});

test("importing a hardware report fills in only the facts that the seller leaves checked, and sends no serial number, host name or MAC address", async ({
  page,
  newSeller,
}) => {
  await openAddProduct(page, newSeller);
  await fillProduct(page, "ThinkPad T14");
  await page.getByText("Read battery and specifications automatically").click();
  const report = page.getByLabel("Report of the laptop");
  await report.fill("no report");
  await expect(report).toHaveAccessibleDescription(/We found nothing in this report/);
  const { text } = fixture("inxi-terminal-colours");
  await page
    .getByLabel("Choose the report's file")
    .setInputFiles({ name: "inxi.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByLabel("Memory (GB): 16").uncheck();
  await page.getByRole("button", { name: "Use these facts" }).click();
  await expect(page.getByRole("status").getByText("10 facts filled in below.")).toBeVisible();
  const filledIn = page.getByRole("group", { name: "Facts" });
  await expect(filledIn).toBeFocused();
  await expect(filledIn).toBeInViewport();
  await expect(page.getByLabel("Memory (GB)")).toHaveValue("");
  await expect(page.getByLabel("Battery health (%)")).toHaveValue("84");
  await page.getByLabel("Battery cycles").fill("150");
  const sent = await sendProduct(page);
  const { facts, machineFacts } = JSON.parse(sent);
  expect(facts).toMatchObject({ battery_health: 84, battery_cycles: 150, screen_width: 1920 });
  expect(machineFacts).toContain("battery_health");
  expect(machineFacts).toContain("screen_width");
  expect(machineFacts).not.toContain("battery_cycles");
  expect(sent).not.toMatch(/PF2QX7K9|JANE-PC|00:1a:2b/);
  await expect(page).toHaveURL("/dashboard/myProducts");
});

async function chooseModels(page: Page): Promise<void> {
  const name = page.getByRole("combobox", { name: "Product Name" });
  await name.fill("x1 carbon gen 9");
  const option = page.getByRole("option", { name: "Lenovo ThinkPad X1 Carbon Gen 9" });
  await expect(option).toBeVisible();
  await expect(name).toHaveAttribute("aria-expanded", "true");
  await name.press("ArrowDown");
  await expect(option).toHaveAttribute("aria-selected", "true");
  await expect(name).toHaveAttribute(
    "aria-activedescendant",
    await option.evaluate(({ id }) => id),
  );
  await name.press("Enter");
  await expect(name).toHaveValue("Lenovo ThinkPad X1 Carbon Gen 9");
  await expect(page.getByRole("listbox")).toBeHidden();
  await expect(page.getByText("Filled in under More details: Lenovo;")).toBeVisible();
  await expect(page.getByLabel("Category").locator("option:checked")).toHaveText("Lenovo");
  await expect(page.getByLabel("Screen size (inches)")).toHaveValue("14");
  await expect(page.getByLabel("Thunderbolt")).toBeChecked();
  await expect(page.getByLabel("Processor")).toHaveValue("");
  await expect(page.locator("#choices-cpu option").first()).toHaveAttribute("value", /Core i5/);

  await test.step("choosing another model replaces the first model's facts, but not typed values", async () => {
    await page.getByText("More details", { exact: true }).click();
    await page.getByLabel("Weight (grams)").fill("1180");
    await name.fill("macbook air m2 13");
    await page.getByRole("option", { name: "MacBook Air 13-inch (M2, 2022)" }).click();
    await expect(page.getByLabel("Screen size (inches)")).toHaveValue("13.6");
    await expect(page.getByLabel("Processor")).toHaveValue("Apple M2");
    await expect(page.getByLabel("Graphics")).toHaveValue("");
    await expect(page.getByLabel("HDMI")).not.toBeChecked();
    await expect(page.getByLabel("Weight (grams)")).toHaveValue("1180");
  });

  await test.step("Escape closes the suggestions", async () => {
    await name.fill("thinkpad");
    await expect(page.getByRole("listbox")).toBeVisible();
    await name.press("Escape");
    await expect(page.getByRole("listbox")).toBeHidden();
  });
}

/** The fields of POST /products in section 7 of the specification. */
const specified = [
  "product_categoryId",
  "product_name",
  "condition",
  "resale_price",
  "original_price",
  "use_duration",
  "location",
  "sellerEmail",
  "seller_name",
  "postedAt",
  "yearOf_purchase",
  "mobile_number",
  "description",
  "img",
  "sales_status",
  "advertise",
  "verify",
];
