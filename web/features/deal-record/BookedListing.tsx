import type { BookedListing as Listing } from "#contract/deal-records.ts";
import { type FactName, factFields } from "#contract/facts.ts";
import { formatPrice } from "#contract/price.ts";
import { formatMonths } from "#web/ui/format.ts";
import { Photo, usePhotoUrl } from "#web/ui/Photo.tsx";

/** A listing as it was when booked. It may have changed or been deleted since. */
export function BookedListing({ listing }: { listing: Listing }) {
  const { product_name, description, images } = listing;
  return (
    <div className="flex flex-col gap-4">
      <p dir="auto" className="user-text font-medium">
        {product_name}
      </p>
      <ListingPhotos images={images} />
      <dl className="grid grid-cols-2 gap-4">
        {rowsOf(listing).map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted text-sm">{name}</dt>
            <dd dir="auto" className="break-words">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <p dir="auto" className="user-text whitespace-pre-line">
        {description}
      </p>
    </div>
  );
}

function rowsOf({ facts, ...listing }: Listing): [string, string][] {
  const stated = Object.entries(facts).map(([name, value]): [string, string] => [
    factFields[name as FactName]?.label ?? name,
    Array.isArray(value) ? value.join(", ") : String(value),
  ]);
  return [
    ["Price", formatPrice(listing.resale_price)],
    ["Original price", formatPrice(listing.original_price)],
    ["Condition", listing.condition],
    ["Purchase Year", String(listing.yearOf_purchase)],
    ["Use Duration", formatMonths(listing.use_duration)],
    ["Location", listing.location],
    ...stated,
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
