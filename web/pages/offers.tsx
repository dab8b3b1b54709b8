import { useSearchParams } from "react-router";
import { readProduct } from "#contract/laptop-page.ts";
import { listOffers } from "#contract/offers.ts";
import { isBuyer } from "#contract/roles.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember } from "#web/auth/guard.ts";
import { MakeOffer } from "#web/features/offers/MakeOffer.tsx";
import { OfferList, offersFor } from "#web/features/offers/OfferList.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/offers.ts";

export const meta = pageMeta("Offers");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const session = await requireMember(request);
  const about = new URL(request.url).searchParams.get("about");
  await Promise.all([
    browserQueries.prefetchInfiniteQuery(listOf(listOffers, {})),
    about && browserQueries.prefetchInfiniteQuery(offersFor(about)),
    about && browserQueries.prefetchQuery(queryOf(readProduct, { params: { id: about } })),
  ]);
  return session;
}

/** For buyers, `?about` shows a laptop's open offer first, or the form for a new offer. */
export default function Offers({ loaderData: session }: Route.ComponentProps) {
  const [query, setQuery] = useSearchParams();
  const about = query.get("about");
  return (
    <>
      <PageHeading title="Offers" />
      {about !== null &&
        (isBuyer(session) ? (
          <MakeOffer key={about} laptopId={about} onMade={() => setQuery({}, { replace: true })} />
        ) : (
          <Notice title="Only buyers can make an offer">
            {!session.isAdmin && (
              <p>
                You can buy with this account too. Turn that on in your{" "}
                <TextLink to={paths.profile()}>profile</TextLink>.
              </p>
            )}
          </Notice>
        ))}
      <OfferList except={about} session={session} />
    </>
  );
}
