import { Link } from "react-router";
import { milesText } from "#contract/distance.ts";
import type { SearchAnswer } from "#contract/search.ts";
import { ListJsonLd } from "#web/features/products/ListJsonLd.tsx";
import { type SearchAddress, searchWith } from "#web/features/search/search-address.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { ProductListing } from "./product-listing.tsx";

type FoundLaptopsProps = { answer: SearchAnswer; address: SearchAddress };

/** The laptops that a search found, with links to the first and the next page. */
export function FoundLaptops({ answer, address }: FoundLaptopsProps) {
  if (answer.items.length === 0)
    return (
      <div className="mt-4">
        <NothingFound address={address} />
      </div>
    );
  return (
    <>
      <ListJsonLd products={answer.items} />
      <h2 className="sr-only">Results</h2>
      <ProductListing products={answer.items.map(withDistance)} aboveFold />
      <nav aria-label="Pages" className="mt-8 flex justify-center gap-3">
        {address.search.cursor !== undefined && (
          <Link to={searchWith(address, {})} className={buttonClass({ look: "plain" })}>
            First page
          </Link>
        )}
        {answer.next !== null && (
          <Link
            to={searchWith(address, { cursor: answer.next })}
            className={buttonClass({ look: "plain" })}
          >
            Next page
          </Link>
        )}
      </nav>
    </>
  );
}

/** Appends the distance to the seller's own text for the location. */
function withDistance(laptop: SearchAnswer["items"][number]) {
  const { distance, location } = laptop;
  if (distance === undefined) return laptop;
  const away = distance === 0 ? "in the town" : `${milesText(distance)} away`;
  return { ...laptop, location: `${location} (${away})` };
}

function NothingFound({ address: { path } }: Pick<FoundLaptopsProps, "address">) {
  return (
    <Notice title="Nothing found" drawing={<EmptyIllustration />}>
      <p>Try fewer words, or a brand such as Lenovo. You can also search by processor or memory.</p>
      <Link to={path} className={buttonClass()}>
        All laptops
      </Link>
    </Notice>
  );
}
