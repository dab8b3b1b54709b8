import type { QueuedEmail } from "../email/email.ts";
import { queuedEmails } from "./inbox.ts";
import type { Person } from "./people.ts";
import type { Shop } from "./shop.ts";

const brand = "Apple";

/** For a $640 laptop. */
export const emailSubjects = {
  holdToBuyer: `Your hold on an ${brand} laptop`,
  holdToSeller: `Your ${brand} laptop is on hold`,
  expired: `Your hold on an ${brand} laptop has expired`,
  cancelled: `Your hold on an ${brand} laptop was canceled`,
  backOnSale: `Your ${brand} laptop is back on sale`,
  receipt: `Your receipt for an ${brand} laptop`,
  reclaimed: `The ${brand} laptop is yours after all`,
  sold: `You sold your ${brand} laptop`,
  handedOver: `The buyer has your ${brand} laptop`,
  saleCancelled: `The sale of your ${brand} laptop was canceled`,
  refund: "Your refund of $640 is on its way",
};

type Parties = { buyer: Person; seller: Person };

/** Oldest first, in a shop without a worker. */
export async function emailsTo(shop: Shop, { email }: Person): Promise<QueuedEmail[]> {
  return (await queuedEmails(shop)).filter(({ to }) => to === email);
}

export async function queuedSubjects(shop: Shop, { buyer, seller }: Parties) {
  const subjectsTo = async (who: Person) =>
    (await emailsTo(shop, who)).map(({ subject }) => subject);
  return { buyer: await subjectsTo(buyer), seller: await subjectsTo(seller) };
}
