import { copyFile } from "node:fs/promises";
import type { Member } from "../server/db/member.ts";
import type { Deps } from "../server/deps.ts";
import { AppError } from "../server/errors.ts";
import { uploadListingPhoto } from "../server/features/images/upload-image.ts";
import { changeAdmin } from "../server/features/members/admins.ts";
import {
  findMemberOf,
  joinAsMember,
  toggleSellerStatus,
} from "../server/features/members/members.ts";
import { addProduct, toggleAdvertise } from "../server/features/products/products.ts";
import { reportProduct } from "../server/features/reports/reports.ts";
import { bookings, reports } from "./bookings.ts";
import { playBooking } from "./deals.ts";
import { countPastViews, listPastSales, pastBookings } from "./history.ts";
import { listings, photoOf } from "./listings.ts";
import { ago, at } from "./past.ts";
import { admin, buyers, demoPassword, sellers } from "./people.ts";
import type { DemoBooking, Listing } from "./types.ts";

type Cast = { sellers: Record<string, Member>; buyers: Record<string, Member> };

/**
 * Loads the demo data once, through the verbs a person's own calls go through, at the times it tells
 * of. Broken off, the next start goes on where it stopped.
 */
export async function loadDemo(now: Deps, say: (line: string) => void): Promise<void> {
  // What its people heard by mail they heard back then.
  const deps = { ...now, queueEmail: async () => false };
  if (await isLoaded(deps)) return;
  say(`Loading the demo data: ${listings.length} laptops, their pictures and their deals.`);
  const chief = await enrol(deps, { ...admin, accountType: "buyer" });
  const cast = await gather(deps, chief);
  await stock(deps, cast);
  // Money is told of only where it is play money.
  if (deps.cards.browser.scriptUrl !== null) await listPastSales(deps, cast.sellers);
  await countPastViews(deps);
  for (const booking of playable(deps)) {
    const product = await findProduct(deps, booking.product_name);
    await playBooking(deps, {
      booking,
      product,
      buyer: member(cast.buyers, booking.buyer),
      admin: chief,
    });
  }
  for (const { product_name, buyer, comment, reportedHoursAgo } of reports) {
    const product = await findProduct(deps, product_name);
    const past = at(deps, ago(deps, { hours: reportedHoursAgo }));
    await reportOnce(past, member(cast.buyers, buyer), {
      comment,
      reportProduct: { _id: product.id },
    });
  }
  // Last: that the demo's admin was made one says that everything before it is there.
  await changeAdmin(deps, { email: admin.email, isAdmin: true });
}

/** The deals, oldest first; those of the past only where their laptops were listed. */
function playable({ cards }: Deps): readonly DemoBooking[] {
  return cards.browser.scriptUrl === null ? bookings : [...pastBookings, ...bookings];
}

async function isLoaded({ db }: Deps): Promise<boolean> {
  const loaded = await db
    .selectFrom("audit_log")
    .innerJoin("members", "members.id", "audit_log.object_id")
    .select("audit_log.id")
    .where("members.email", "=", admin.email)
    .where("audit_log.verb", "=", "grant admin")
    .executeTakeFirst();
  return loaded !== undefined;
}

async function reportOnce(...report: Parameters<typeof reportProduct>): Promise<void> {
  await reportProduct(...report).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === "ALREADY_REPORTED")) throw error;
  });
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
  const past = at(deps, ago(deps, { hours: 24 * joinedDaysAgo }));
  await joinAsMember(past, proof, { name, email, accountType });
  return await findMemberOf(deps, proof, email);
}

async function gather(deps: Deps, chief: Member): Promise<Cast> {
  const cast: Cast = { sellers: {}, buyers: {} };
  for (const [key, person] of Object.entries(sellers)) {
    const seller = await enrol(deps, { ...person, accountType: "seller" });
    if (person.verify && !seller.verify)
      await toggleSellerStatus(deps, chief, {
        id: seller.id,
        email: seller.email,
        verify: false,
      });
    cast.sellers[key] = seller;
  }
  for (const [key, person] of Object.entries(buyers)) {
    cast.buyers[key] = await enrol(deps, { ...person, accountType: "buyer" });
  }
  return cast;
}

/** Lists every laptop that is not listed yet, two at a time: encoding a photo keeps a core busy. */
async function stock(deps: Deps, cast: Cast): Promise<void> {
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
        cast,
      });
    }
  };
  await Promise.all([list(), list()]);
}

async function listLaptop(
  deps: Deps,
  { listing, category, cast }: { listing: Listing; category: string; cast: Cast },
) {
  const past = at(deps, ago(deps, { hours: 24 * listing.postedDaysAgo }));
  const seller = member(cast.sellers, listing.seller);
  const { path } = await uploadListingPhoto(past, seller, {
    address: "demo",
    receive: (path) => copyFile(photoOf(listing), path),
  });
  const { mobile_number } = sellers[listing.seller];
  const id = await addProduct(past, seller, {
    ...listing,
    product_categoryId: category,
    mobile_number,
    img: path,
  });
  if (listing.advertise) await toggleAdvertise(past, seller, { id, advertiseStatus: false });
}

async function findProduct({ db }: Deps, name: string) {
  return await db
    .selectFrom("products")
    .select(["id", "resale_cents"])
    .where("product_name", "=", name)
    .executeTakeFirstOrThrow();
}

function member(cast: Record<string, Member>, key: string): Member {
  const found = cast[key];
  if (!found) throw new Error(`The demo knows nobody called ${key}.`);
  return found;
}
