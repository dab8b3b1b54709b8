import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import type { Config } from "../server/config.ts";
import type { Member } from "../server/db/member.ts";
import type { Deps } from "../server/deps.ts";
import { uploadPhoto } from "../server/features/images/upload-photo.ts";
import { confirmAddressOf } from "../server/features/members/confirmation.ts";
import { joinAsMember } from "../server/features/members/join-as-member.ts";
import { findMemberOf } from "../server/features/members/members.ts";
import { toggleSellerStatus } from "../server/features/members/verify-seller.ts";
import { reconcileLedger } from "../server/features/money/reconcile-ledger.ts";
import { addProduct, toggleAdvertise } from "../server/features/products/products.ts";
import { reportProduct } from "../server/features/reports/reports.ts";
import { inviteFriend } from "../server/features/rewards/invite-friend.ts";
import { joinByLink } from "../server/features/rewards/join-by-invitation.ts";
import { changeAdmin } from "../server/features/staff/change-staff-role.ts";
import { ago, depsAt } from "./backdate.ts";
import { bookings, type DemoBooking, reports } from "./bookings.ts";
import { talk } from "./conversation.ts";
import { createBooking } from "./create-booking.ts";
import { listPastSales, pastBookings, storePastViews } from "./list-past-sales.ts";
import { type Listing, listings, photoOf } from "./listings.ts";
import { payOutPastSales } from "./payouts.ts";
import { admin, buyers, type DemoMembers, demoPassword, sellers } from "./people.ts";
import { retryUpload, unless } from "./repeated-load.ts";
import { writeReviews } from "./reviews.ts";

/** Loads missing demo data with the shop's own functions, and with clocks set to past times. */
export async function loadDemo(now: Deps): Promise<void> {
  // Loading the demo data must not send email.
  const deps = { ...now, emailQueue: { add: async () => false } };
  const demoAdmin = await enrol(deps, { ...admin, accountType: "buyer" });
  const members = await addMembers(deps, demoAdmin);
  await addListings(deps, members);
  // Past sales need payments, which the demo makes only if the sandbox is the card provider.
  if (deps.cards.browser.scriptUrl !== null) await listPastSales(deps, members.sellers);
  await storePastViews(deps);
  for (const booking of bookingsFor(deps)) {
    const product = await findProduct(deps, booking.product_name);
    await createBooking(deps, {
      booking,
      product,
      buyer: findMember(members.buyers, booking.buyer),
      admin: demoAdmin,
    });
  }
  if (deps.cards.browser.scriptUrl !== null) {
    await payOutPastSales(deps, members.sellers);
    await reconcileLedger(deps);
    await writeReviews(deps, members);
  }
  await talk(deps, members);
  await invite(deps, members);
  for (const { product_name, buyer, comment, reportedHoursAgo } of reports) {
    const product = await findProduct(deps, product_name);
    const past = depsAt(deps, ago(deps, { hours: reportedHoursAgo }));
    const report = { comment, reportProduct: { _id: product.id } };
    await reportProduct(past, findMember(members.buyers, buyer), report).catch(
      unless("ALREADY_REPORTED"),
    );
  }
  // Must stay last: `load-once.ts` takes this admin role as proof of a complete load.
  await changeAdmin(deps, { email: admin.email, isAdmin: true });
}

function bookingsFor({ cards }: Deps): readonly DemoBooking[] {
  return cards.browser.scriptUrl === null ? bookings : [...pastBookings, ...bookings];
}

type Person = {
  name: string;
  email: string;
  joinedDaysAgo: number;
  accountType: "buyer" | "seller";
};

async function enrol(deps: Deps, person: Person): Promise<Member> {
  const { name, email, joinedDaysAgo, accountType } = person;
  if (!deps.identity.createAccount)
    throw new Error("Demo accounts need the embedded identity service. Set DEMO=0.");
  const proof = await deps.identity.createAccount({ name, email, password: demoPassword });
  const past = depsAt(deps, ago(deps, { hours: 24 * joinedDaysAgo }));
  await joinAsMember(past, proof, { name, email, accountType });
  return await findMemberOf(deps, proof, email);
}

async function addMembers(deps: Deps, demoAdmin: Member): Promise<DemoMembers> {
  const members: DemoMembers = { sellers: {}, buyers: {} };
  for (const [key, person] of Object.entries(sellers)) {
    const seller = await enrol(deps, { ...person, accountType: "seller" });
    if (person.verify && !seller.verify)
      await toggleSellerStatus(deps, demoAdmin, {
        id: seller.id,
        email: seller.email,
        verify: false,
      });
    members.sellers[key] = seller;
  }
  for (const [key, person] of Object.entries(buyers)) {
    members.buyers[key] = await enrol(deps, { ...person, accountType: "buyer" });
  }
  return members;
}

/** Adds missing listings, at most two at a time, because encoding photos is CPU-bound. */
async function addListings(deps: Deps, members: DemoMembers): Promise<void> {
  const names = await deps.db.selectFrom("products").select("product_name").execute();
  const listed = new Set(names.map(({ product_name }) => product_name));
  const waiting = listings.filter(({ product_name }) => !listed.has(product_name));
  const categories = await deps.db.selectFrom("categories").selectAll().execute();
  const idOf = new Map(categories.map(({ id, product_category }) => [product_category, id]));
  const list = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await listLaptop(deps, {
        listing: next,
        category: idOf.get(next.product_category) ?? "",
        members,
      });
    }
  };
  await Promise.all([list(), list()]);
}

async function listLaptop(
  deps: Deps,
  { listing, category, members }: { listing: Listing; category: string; members: DemoMembers },
) {
  const past = depsAt(deps, ago(deps, { hours: 24 * listing.postedDaysAgo }));
  const seller = findMember(members.sellers, listing.seller);
  const images: string[] = [];
  for (const receive of photosOf(listing, deps.config)) {
    const upload = { address: "demo", receive, shape: "listing" } as const;
    const stored = await retryUpload(() => uploadPhoto(past, seller, upload));
    images.push(stored.path);
  }
  const { mobile_number } = sellers[listing.seller];
  const id = await addProduct(past, seller, {
    ...listing,
    product_categoryId: category,
    mobile_number,
    img: images[0] ?? "",
    images,
  });
  if (listing.advertise) await toggleAdvertise(past, seller, { id, advertiseStatus: false });
}

const smallWidth = 320;

/** Returns a function for each photo, which writes it to a path. The cover is the first. */
function photosOf(listing: Listing, { demoPhotos }: Pick<Config, "demoPhotos">) {
  const photo = fileURLToPath(photoOf(listing));
  const small = demoPhotos === "small";
  const closeUps = (listing.closeUps ?? []).map(([left, top, size]) => async (path: string) => {
    const whole = sharp(photo);
    const { width, height } = await whole.metadata();
    const part = {
      left: Math.round(left * width),
      top: Math.round(top * height),
      width: Math.round(size * width),
      height: Math.round(size * height),
    };
    const narrowed = whole.extract(part).resize({ width: small ? smallWidth : 1_000 });
    await narrowed.webp({ quality: 90 }).toFile(path);
  });
  const shrink = async (path: string) => {
    await sharp(photo).resize({ width: smallWidth }).webp().toFile(path);
  };
  return [small ? shrink : (path: string) => copyFile(photo, path), ...closeUps];
}

async function invite(deps: Deps, { buyers: { nora, oskar } }: DemoMembers): Promise<void> {
  if (!nora || !oskar) throw new Error("The demo's buyers are missing.");
  if (await hasInvited(deps, nora)) return;
  const joinedAt = ago(deps, { hours: 16 * 24 });
  await deps.db.transaction().execute(async (tx) => {
    await confirmAddressOf(tx, oskar.id, joinedAt);
    await joinByLink(tx, { friend: oskar, inviterId: nora.id, at: joinedAt });
  });
  await inviteFriend(depsAt(deps, ago(deps, { hours: 50 })), nora, {
    email: "tove.friis@example.com",
    network: "127.0.0.1",
  });
}

async function hasInvited({ db }: Deps, { id }: Member): Promise<boolean> {
  const found = await db
    .selectFrom("invitations")
    .select("id")
    .where("inviter_id", "=", id)
    .executeTakeFirst();
  return found !== undefined;
}

async function findProduct({ db }: Deps, name: string) {
  return await db
    .selectFrom("products")
    .select(["id", "resale_cents"])
    .where("product_name", "=", name)
    .executeTakeFirstOrThrow();
}

function findMember(members: Record<string, Member>, key: string): Member {
  const found = members[key];
  if (!found) throw new Error(`There is no demo member ${key}.`);
  return found;
}
