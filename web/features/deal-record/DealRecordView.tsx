import type { ReactNode } from "react";
import type { DealRecord, BookedListing as Listing } from "#contract/deal-records.ts";
import { isOpenBooking } from "#contract/life-cycle.ts";
import { formatPrice } from "#contract/price.ts";
import { eventName } from "#web/domain/deals/event-name.ts";
import { statedFactRows } from "#web/domain/products/fact-rows.ts";
import { paths } from "#web/paths.ts";
import { formatDateTime, formatMonths } from "#web/ui/format-dates-and-counts.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { Photo, usePhotoUrl } from "#web/ui/Photo.tsx";

type DealRecordProps = {
  deal: DealRecord;
  messages: ReactNode;
};

export function DealRecordView({ deal, messages }: DealRecordProps) {
  const { buyer, seller, price, bookedAt, payment, providerFee, listing, events } = deal;
  return (
    <>
      <Part title="The deal">
        <dl className="flex flex-col gap-4">
          <Fact name="Laptop">
            <TextLink to={paths.laptop(deal.product._id, deal.product.product_name)}>
              <bdi>{deal.product.product_name}</bdi>
            </TextLink>
            , {formatPrice(price)}
          </Fact>
          <Fact name="Buyer">
            <Person {...buyer} />
          </Fact>
          <Fact name="Seller">
            <Person {...seller} />
          </Fact>
          <Fact name="Booked">{formatDateTime(bookedAt)}</Fact>
          <Fact name="Paid">
            {payment ? (
              <>
                {formatDateTime(payment.paidAt)}
                <span className="block break-all text-muted text-sm">{payment.transactionId}</span>
              </>
            ) : (
              "Not paid"
            )}
          </Fact>
          {payment && (
            <Fact name="Card provider's fee">
              {providerFee === null ? "Not known yet" : formatPrice(providerFee)}
            </Fact>
          )}
          <Fact name="Place and time">{meetingOf(deal)}</Fact>
          {(isOpenBooking(deal.state) || deal.handover) && (
            <Fact name="Handed over">{handoverOf(deal)}</Fact>
          )}
        </dl>
      </Part>
      <Part title="The listing as it was booked">
        {listing ? (
          <BookedListing listing={listing} />
        ) : (
          <p className="text-muted">This deal was booked before we kept that.</p>
        )}
      </Part>
      <Part title="Messages">{messages}</Part>
      {deal.reversals.length > 0 && (
        <Part title="Taken back from the seller">
          <ul className="flex flex-col gap-2">
            {deal.reversals.map(({ amount, at, state, by }) => (
              <li key={`${at} ${amount} ${state}`}>
                {formatPrice(amount)}, {formatDateTime(at)}: {reversalText[`${state} by ${by}`]}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="What happened">
        <DealEvents events={events} />
      </Part>
    </>
  );
}

const reversalText: Record<string, string> = {
  "made by program": "for what they owed",
  "made by dashboard": "by an admin in the card provider's dashboard",
  "asked by program": "asked for, and not answered yet",
  "refused by program": "asked for, and not made",
};

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rounded-box border border-line bg-base-100 p-5 sm:p-8">
      <h2 className="mb-4 text-heading">{title}</h2>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm">{name}</dt>
      <dd dir="auto" className="break-words">
        {children}
      </dd>
    </div>
  );
}

function Person({ name, email }: DealRecord["buyer"]) {
  return (
    <>
      <bdi>{name}</bdi>
      <span className="block text-muted text-sm">
        <bdi>{email}</bdi>
      </span>
    </>
  );
}

function meetingOf({ meeting }: DealRecord): ReactNode {
  if (!meeting) return "Nothing was agreed here";
  return (
    <>
      <bdi>{meeting.place}</bdi>, {formatDateTime(meeting.startsAt)}
      {meeting.state === "proposed" && " (proposed)"}
    </>
  );
}

function handoverOf({ handover }: DealRecord): string {
  if (!handover) return "Not yet";
  const how =
    handover.by === "code" ? "the seller entered the buyer's code" : "the buyer confirmed it";
  return `${formatDateTime(handover.at)}: ${how}`;
}

/** A listing as it was when booked. It may have changed or been deleted since. */
function BookedListing({ listing }: { listing: Listing }) {
  const { product_name, description, images } = listing;
  return (
    <div className="flex flex-col gap-4">
      <p dir="auto" className="user-text font-medium">
        {product_name}
      </p>
      <ListingPhotos images={images} />
      <dl className="grid grid-cols-2 gap-4">
        {rowsOf(listing).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      <p dir="auto" className="user-text whitespace-pre-line">
        {description}
      </p>
    </div>
  );
}

function rowsOf({ facts, ...listing }: Listing): [string, string][] {
  return [
    ["Price", formatPrice(listing.resale_price)],
    ["Original Price", formatPrice(listing.original_price)],
    ["Condition", listing.condition],
    ["Purchase Year", String(listing.yearOf_purchase)],
    ["Use Duration", formatMonths(listing.use_duration)],
    ["Location", listing.location],
    ...statedFactRows({ facts }).map(({ label, value }): [string, string] => [label, value]),
  ];
}

export function ListingPhotos({ images }: { images: readonly string[] }) {
  const photoUrl = usePhotoUrl();
  return (
    <ul className="flex flex-wrap gap-2">
      {images.map((img, index) => (
        <li key={img} className="w-24 overflow-hidden rounded-xl">
          <a
            href={photoUrl(img)}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open photo ${index + 1}`}
          >
            <Photo img={img} alt="" sizes="10rem" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The first 500 audit log entries for a deal and its payments, oldest first. */
function DealEvents({ events }: { events: DealRecord["events"] }) {
  return (
    <ol className="flex flex-col gap-2">
      {events.map(({ at, actor, verb, object }) => {
        const name = eventName({ verb, object, actor });
        return (
          <li key={`${at} ${verb} ${object}`} className="flex flex-wrap gap-x-3">
            <time dateTime={at} className="text-muted tabular-nums">
              {formatDateTime(at)}
            </time>
            <span>
              {actor !== null && <bdi>{actor}</bdi>}
              {actor !== null && (/^[A-Z]/.test(name) ? ": " : " ")}
              {name}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
