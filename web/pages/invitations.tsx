import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { readConfig } from "#contract/config.ts";
import { listInvitations, readOwnInvitations } from "#contract/invitations.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember, requireRole } from "#web/auth/guard.ts";
import { AcceptCode, InvitedFriends } from "#web/features/invitations/InvitedFriends.tsx";
import { acceptKeptInvitation } from "#web/features/invitations/kept-invitation.ts";
import { OwnInvitationsView } from "#web/features/invitations/OwnInvitations.tsx";
import { SuspectInvitations } from "#web/features/invitations/SuspectInvitations.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/invitations.ts";

export const meta = pageMeta("Invitations");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const session = await requireMember(request);
  if (session.isAdmin) return await requireRole(request, "moderation");
  await acceptKeptInvitation();
  await Promise.all([
    browserQueries.prefetchQuery(queryOf(readConfig, {})),
    browserQueries.prefetchQuery(queryOf(readOwnInvitations, {})),
    browserQueries.prefetchInfiniteQuery(listOf(listInvitations, {})),
  ]);
  return session;
}

export default function Invitations({ loaderData: { isAdmin } }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const { data: config } = useQuery({ ...queryOf(readConfig, {}), enabled: !isAdmin });
  if (isAdmin)
    return (
      <>
        <Breadcrumbs
          above={[{ name: "Listings to Check", to: paths.listingsToCheck() }]}
          here="Invitations to Check"
        />
        <PageHeading title="Invitations to Check" />
        <p className="mb-6 max-w-prose text-muted">
          Approve if the friend is another person than the inviter, and new here. Rewards wait until
          you decide.
        </p>
        <SuspectInvitations />
      </>
    );
  return (
    <>
      <PageHeading title="Invitations" />
      <p className="mb-6 max-w-xl">{config?.invitations.promo.sentence}</p>
      <OwnInvitationsView />
      <InvitedFriends email={query.get("email") ?? ""} />
      <AcceptCode />
    </>
  );
}
