import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";
import { readProcessor } from "#contract/cpu-names.ts";
import { type BookingState, bookingStates, isPaid, salesStatuses } from "#contract/life-cycle.ts";
import { newUser } from "#contract/members.ts";
import { newPassword } from "#contract/passwords.ts";
import { newProduct } from "#contract/products.ts";
import { newReport } from "#contract/reports.ts";
import { phone } from "#contract/text.ts";
import { tooMuchToDecode } from "../server/features/images/check-photo.ts";
import { bookings, type DemoBooking, reports } from "./bookings.ts";
import { listedPeriods } from "./list-past-sales.ts";
import { type Listing, listings, photoOf } from "./listings.ts";
import { pastSales } from "./past-sales.ts";
import { admin, buyers, demoPassword, sellers } from "./people.ts";
import { retryUpload } from "./repeated-load.ts";

const written = newProduct.omit({ product_categoryId: true, img: true });

describe("demo listings", () => {
  test("every demo listing passes validation and has a plausible price, age and description", () => {
    for (const listing of listings) {
      const { mobile_number } = sellers[listing.seller];
      const name = listing.product_name;
      expect(written.safeParse({ ...listing, mobile_number }).error, name).toBeUndefined();
      expect(listing.resale_price, name).toBeLessThan(listing.original_price);
      const sentences = listing.description.split(/(?<=[.?!]) /).length;
      expect(sentences, name).toBeGreaterThanOrEqual(2);
      expect(sentences, name).toBeLessThanOrEqual(5);
      expect(isAgePossible(listing), name).toBe(true);
    }
  });

  test("every demo listing has the memory and disk size that its name states, and a known processor", () => {
    for (const { product_name: name, facts } of listings) {
      const { ram_gb, storage_gb } = facts;
      const sizes = [`${ram_gb} GB`, `${storage_gb} GB`, `${(storage_gb ?? 0) / 1000} TB`];
      for (const [gb] of name.matchAll(/\d+ (?:GB|TB)/g)) expect(sizes, name).toContain(gb);
      expect(readProcessor(facts.cpu ?? "").cpu_family, name).toBeDefined();
    }
  });

  test("every demo listing has a unique name and description", () => {
    expect(new Set(listings.map((listing) => listing.product_name)).size).toBe(listings.length);
    expect(new Set(listings.map((listing) => listing.description)).size).toBe(listings.length);
  });
});

/** Whether the year of purchase matches the age in months, as of November 2026. */
function isAgePossible({ yearOf_purchase, use_duration }: Listing): boolean {
  return new Date(Date.UTC(2026, 10 - use_duration, 1)).getUTCFullYear() === yearOf_purchase;
}

describe("the demo market", () => {
  test("every category has at least four demo laptops, and prices range from $120 to $2590", () => {
    const laptops = Object.groupBy(listings, ({ product_category }) => product_category);
    const counts = Object.values(laptops).map((found) => found?.length ?? 0);
    const prices = listings.map(({ resale_price }) => resale_price);
    expect(counts).toHaveLength(12);
    expect(listings.length).toBeGreaterThanOrEqual(64);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(4);
    expect([Math.min(...prices), Math.max(...prices)]).toEqual([120, 2590]);
    expect(new Set(listings.map(({ condition }) => condition)).size).toBe(3);
    expect(new Set(listings.map(({ location }) => location)).size).toBeGreaterThanOrEqual(20);
  });

  test("eight available demo laptops are advertised", () => {
    const advertised = listings.filter(({ advertise }) => advertise);
    expect(advertised).toHaveLength(8);
    expect(advertised.map(salesStatus)).toEqual(advertised.map(() => "available"));
  });

  test("every demo member passes sign-up validation", () => {
    const people = [...Object.values(sellers), ...Object.values(buyers), admin];
    for (const person of people) {
      expect(newUser.safeParse({ ...person, accountType: "buyer" }).error).toBeUndefined();
      expect(person.email).toMatch(/@demo\.test$/);
    }
    expect(newPassword.safeParse(demoPassword).success).toBe(true);
    expect(new Set(people.map(({ email }) => email)).size).toBe(people.length);
    const verified = Object.values(sellers).map(({ verify }) => verify);
    expect(verified).toEqual([true, true, true, true, false, false]);
    expect(new Set(listings.map(({ seller }) => seller)).size).toBe(Object.keys(sellers).length);
  });

  test("every brand image is square", async () => {
    const folder = new URL("../web/public/brands/", import.meta.url);
    for (const name of await readdir(folder)) {
      const { width, height, format } = await sharp(
        await readFile(new URL(name, folder)),
      ).metadata();
      expect([format, width]).toEqual(["svg", height]);
    }
  });
});

describe("demo bookings", () => {
  test("the demo bookings include every booking state", () => {
    expect(new Set(bookings.map(({ state }) => state))).toEqual(new Set(bookingStates));
  });

  test("the demo buyer has one unpaid, one paid and one completed booking", () => {
    expect(bookings.filter(({ buyer }) => buyer === "nora").map(({ state }) => state)).toEqual([
      "held",
      "paid",
      "completed",
    ]);
  });

  test("the demo seller has laptops in every sales status", () => {
    const own = listings.filter(({ seller }) => seller === "marta");
    expect(new Set(own.map(salesStatus))).toEqual(new Set(salesStatuses));
  });

  test("available demo laptops are viewed until today, even after an expired, canceled or refunded booking", () => {
    const available = listings.filter((listing) => salesStatus(listing) === "available");
    for (const { product_name } of available)
      expect(listedPeriods.find((one) => one.product_name === product_name)?.to).toBe(0);
  });

  test("each demo laptop has at most one booking, made after the laptop was listed, and every hold is under a day old", () => {
    expect(new Set(bookings.map(({ product_name }) => product_name)).size).toBe(bookings.length);
    for (const booking of bookings) {
      expect(booking.bookedHoursAgo).toBeLessThan(listed(booking).postedDaysAgo * 24);
      expect(booking.state === "held" && booking.bookedHoursAgo >= 24).toBe(false);
      expect(phone("").safeParse(booking.phone).success).toBe(true);
    }
  });
});

describe("demo sales of past weeks", () => {
  test("in each past demo sale, the seller joined before listing the laptop, and the buyer joined before the sale", () => {
    for (const sale of pastSales) {
      const like = listed({ product_name: sale.like });
      expect(sale.resale_price).toBeLessThan(like.original_price);
      expect(sellers[like.seller].joinedDaysAgo).toBeGreaterThan(sale.listedDaysAgo);
      expect(sale.listedDaysAgo).toBeGreaterThan(sale.soldDaysAgo);
      expect(buyers[sale.buyer].joinedDaysAgo).toBeGreaterThan(sale.soldDaysAgo);
    }
  });

  test("no two past demo sales or demo listings share a laptop name", () => {
    const names = [...pastSales, ...listings].map(({ product_name }) => product_name);
    expect(new Set(names).size).toBe(names.length);
  });
});

test("each demo report is about an available laptop and passes validation", () => {
  expect(reports).toHaveLength(3);
  for (const report of reports) {
    expect(salesStatus(listed(report))).toBe("available");
    expect(newReport.shape.comment.safeParse(report.comment).success).toBe(true);
  }
});

function listed({ product_name }: Pick<DemoBooking, "product_name">): Listing {
  const listing = listings.find((candidate) => candidate.product_name === product_name);
  if (!listing) throw new Error(`Nobody lists ${product_name}.`);
  return listing;
}

function salesStatus({ product_name }: Pick<Listing, "product_name">): string {
  const state: BookingState | undefined = bookings.find(
    (booking) => booking.product_name === product_name,
  )?.state;
  if (state === "held") return "booked";
  return state && isPaid(state) ? "sold" : "available";
}

describe("demo photos", () => {
  test("each demo listing has a unique 4:3 WebP photo, and all photos together are under 4 MB", async () => {
    const files = await readdir(new URL("./photos/", import.meta.url));
    expect(files.toSorted()).toEqual(listings.map(({ photo }) => photo).toSorted());
    const photos = await Promise.all(listings.map((listing) => readFile(photoOf(listing))));
    const sizes = await Promise.all(photos.map((photo) => sharp(photo).metadata()));
    for (const size of sizes) {
      expect(size).toMatchObject({ format: "webp", width: 1333, height: 1000 });
    }
    const hashes = photos.map((photo) => createHash("sha256").update(photo).digest("hex"));
    expect(new Set(hashes).size).toBe(listings.length);
    expect(Buffer.concat(photos).length).toBeLessThan(4 * 1024 * 1024);
  });
});

test("a rejected photo upload is retried, up to ten attempts in total", async () => {
  const upload = vi.fn(() => Promise.resolve("stored"));
  upload.mockRejectedValueOnce(tooMuchToDecode()).mockRejectedValueOnce(tooMuchToDecode());
  await expect(retryUpload(upload)).resolves.toBe("stored");
  expect(upload).toHaveBeenCalledTimes(3);
  const refused = vi.fn(() => Promise.reject(tooMuchToDecode()));
  await expect(retryUpload(refused)).rejects.toThrow("too much memory or time");
  expect(refused).toHaveBeenCalledTimes(10);
});

test("a photo upload that fails with an unexpected error is not retried", async () => {
  const broken = vi.fn(() => Promise.reject(new Error("no space left")));
  await expect(retryUpload(broken)).rejects.toThrow("no space left");
  expect(broken).toHaveBeenCalledTimes(1);
});
