import type { Answer } from "#contract/call.ts";
import {
  type draftEvidence as contract,
  type DealRecord,
  maxEvidenceLength,
} from "#contract/deal-records.ts";
import { formatMeetingTime } from "#contract/meetings.ts";
import type { Message } from "#contract/messages.ts";
import { formatPrice } from "#contract/price.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { type AvailablePhotos, listEvidencePhotos } from "./evidence-photos.ts";
import { listDealMessages, readDealRecord } from "./read-deal-record.ts";
import { type Content, mayBeSubmitted } from "./submit-evidence.ts";

/** The maximum number of messages in a draft. */
const quoted = 50;

type Draft = Answer<typeof contract>;

/**
 * Drafts evidence with the deal's facts, photos and newest messages, and records that an admin read
 * the messages. If earlier evidence has no outcome yet, returns its text instead. Throws
 * `NOT_FOUND`, and `STALE` without an open dispute.
 */
export async function draftEvidence(deps: Deps, admin: Member, bookingId: string): Promise<Draft> {
  const deal = await readDealRecord(deps, bookingId);
  const open = deal.disputes.find(({ state }) => state === "open");
  if (!open) throw new AppError("STALE", "The bank isn't deciding about this deal.");
  const sent = await findUnanswered(deps, open._id);
  const available = await listEvidencePhotos(deps.db, deal);
  if (sent && mayBeSubmitted(sent)) return toSent(sent, available);
  const photos = toDraft(available);
  if (sent) return { ...photos, text: sent.text ?? "" };
  const { items } = await listDealMessages(deps, admin, { bookingId, limit: quoted });
  const text = [aboutDeal(deal), aboutListing(deal), aboutHandover(deal), aboutMessages(items)]
    .filter((part) => part !== "")
    .join("\n\n")
    .slice(0, maxEvidenceLength);
  return { ...photos, text };
}

function toDraft({ listing, own }: AvailablePhotos): Omit<Draft, "text"> {
  const listingPhotos = listing.map(({ id }) => id);
  return { listingPhotos, privatePhotos: own.map(({ shown }) => shown), sent: null };
}

function toSent({ text = "", photos = [] }: Content, { listing, own }: AvailablePhotos): Draft {
  const isSent = ({ id }: { id: string }) => photos.some((photo) => photo.id === id);
  const shown = toDraft({ listing: listing.filter(isSent), own: own.filter(isSent) });
  return { ...shown, text, sent: { photos: photos.length > 0 } };
}

async function findUnanswered({ db }: Deps, disputeId: string): Promise<Content | undefined> {
  const row = await db
    .selectFrom("dispute_evidence")
    .select("evidence")
    .where("dispute_id", "=", disputeId)
    .where("submitted_at", "is", null)
    .where("refusal", "is", null)
    .executeTakeFirst();
  return row?.evidence as Content | undefined;
}

function aboutDeal({ product, price, bookedAt, payment }: DealRecord): string {
  return [
    `The buyer bought a used laptop, ${product.product_name}, for ${formatPrice(price)} on our marketplace.`,
    `They put it on hold on ${moment(bookedAt)}${payment ? `, and paid on ${moment(payment.paidAt)}` : ""}.`,
    "Buyers pay by card to complete the purchase. We pay the seller only after the laptop was handed over in person.",
  ].join(" ");
}

function aboutListing({ listing }: DealRecord): string {
  if (!listing) return "";
  const { condition, description, use_duration, yearOf_purchase, images } = listing;
  return [
    "The listing as it was when the buyer booked it:",
    `Condition: ${condition}. Bought in ${yearOf_purchase}, used for ${use_duration} months. ${images.length} ${images.length === 1 ? "photo" : "photos"}.`,
    description,
  ].join("\n");
}

function aboutHandover({ handover, meeting }: DealRecord): string {
  const place =
    meeting?.state === "agreed"
      ? `Buyer and seller agreed on our site to meet here: ${meeting.place}, ${formatMeetingTime(meeting)}. `
      : "";
  if (!handover) return place.trim();
  const how =
    handover.by === "code"
      ? `On ${moment(handover.at)} the seller entered the six-digit code that only the buyer's account shows, and that the buyer shows to the seller when they have the laptop. It can be used once.`
      : `On ${moment(handover.at)} the buyer confirmed in their account that they had received the laptop.`;
  return place + how;
}

function aboutMessages(newestFirst: Message[]): string {
  if (newestFirst.length === 0) return "";
  const lines = newestFirst.toReversed().map(({ mine, text, photos, sentAt }) => {
    const attached =
      photos.length > 0 ? ` (${photos.length} ${photos.length === 1 ? "photo" : "photos"})` : "";
    return `${moment(sentAt)}, ${mine ? "buyer" : "seller"}: ${text}${attached}`;
  });
  return ["Their newest messages on our site:", ...lines].join("\n");
}

const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;

function moment(iso: string): string {
  return `${new Date(iso).toLocaleString("en-US", format)} UTC`;
}
