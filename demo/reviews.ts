import type { Deps } from "../server/deps.ts";
import { replyToReview, writeReview } from "../server/features/reviews/write-review.ts";
import { depsAt } from "./backdate.ts";
import type { DemoMembers } from "./people.ts";
import { unless } from "./repeated-load.ts";

interface DemoReviews {
  readonly product_name: string;
  readonly ofSeller: { readonly stars: number; readonly text: string };
  readonly ofBuyer: { readonly stars: number; readonly text: string };
  readonly reply?: string;
}

/** Oldest first. Each sale's seller is in `paidSellers`. */
export const reviews: readonly DemoReviews[] = [
  {
    product_name: "Dell Inspiron 16 Plus, i5, 8 GB, 512 GB",
    ofSeller: {
      stars: 5,
      text: "Exactly as described, and wiped clean. Marta let me run everything I wanted before I showed the code.",
    },
    ofBuyer: { stars: 5, text: "Came on time and knew what to look for. A pleasure." },
    reply: "Thank you, Nora. Enjoy it!",
  },
  {
    product_name: "MacBook Air 13 M1, 8 GB, 256 GB, gold",
    ofSeller: { stars: 5, text: "Battery at 91% as promised. Easy handover at the library." },
    ofBuyer: { stars: 4, text: "A little late, but wrote ahead of time." },
  },
  {
    product_name: "HP EliteBook 845 G10, Ryzen 5 PRO, 16 GB, 512 GB",
    ofSeller: { stars: 5, text: "Looks new. Hannah even brought the box." },
    ofBuyer: { stars: 5, text: "Friendly and quick." },
  },
  {
    product_name: "ASUS Zenbook 14 OLED, Ryzen 7, 16 GB, 512 GB",
    ofSeller: {
      stars: 4,
      text: "Lovely screen. There's a scratch at the hinge that the photos don't show, so one star less.",
    },
    ofBuyer: { stars: 5, text: "Fair, and paid on the spot." },
    reply: "Sorry about the scratch, I hadn't seen it myself.",
  },
  {
    product_name: "Dell Latitude 7420, i7, 16 GB, 512 GB",
    ofSeller: { stars: 4, text: "Good laptop. The fan is louder than I expected." },
    ofBuyer: { stars: 5, text: "All good." },
  },
  {
    product_name: "MacBook Air 13 M1, 16 GB, 512 GB",
    ofSeller: { stars: 5, text: "Answered all my questions within the hour." },
    ofBuyer: { stars: 5, text: "Asked good questions, then decided at once." },
  },
  {
    product_name: "Lenovo Yoga 9i 14, i5, 16 GB, 512 GB",
    ofSeller: { stars: 5, text: "Second laptop from Marta, and as good as the first." },
    ofBuyer: { stars: 5, text: "Always welcome." },
  },
];

const hourMs = 3_600_000;

/** Writes reviews: the buyer's a day after the handover, the seller's 7 hours later. */
export async function writeReviews(
  deps: Deps,
  members: DemoMembers,
  list: readonly DemoReviews[] = reviews,
): Promise<void> {
  const people = [...Object.values(members.buyers), ...Object.values(members.sellers)];
  const memberOf = new Map(people.map((member) => [member.id, member]));
  for (const { product_name, ofSeller, ofBuyer, reply } of list) {
    const deal = await findDeal(deps, product_name);
    const later = (hours: number) =>
      depsAt(deps, new Date(deal.opened_at.getTime() + hours * hourMs));
    const [buyer, seller] = [memberOf.get(deal.buyer_id), memberOf.get(deal.seller_id)];
    if (!buyer || !seller || deal.published_at) continue;
    const written = unless("ALREADY_REVIEWED");
    const booking = deal.booking_id;
    const id = await writeReview(later(24), buyer, { booking, ...ofSeller }).catch(written);
    await writeReview(later(31), seller, { booking, ...ofBuyer }).catch(written);
    if (id !== undefined && reply !== undefined)
      await replyToReview(later(33), seller, { id, text: reply });
  }
}

async function findDeal({ db }: Deps, name: string) {
  return await db
    .selectFrom("review_windows as w")
    .innerJoin("bookings", "bookings.id", "w.booking_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["w.booking_id", "w.buyer_id", "w.seller_id", "w.opened_at", "w.published_at"])
    .where("products.product_name", "=", name)
    .executeTakeFirstOrThrow();
}
