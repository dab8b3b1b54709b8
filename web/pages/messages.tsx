import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { readProduct } from "#contract/laptop-page.ts";
import {
  listConversationReports,
  listConversations,
  listMessages,
  readConversation,
} from "#contract/messages.ts";
import { mayAct } from "#contract/roles.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { requireMember } from "#web/auth/guard.ts";
import type { Session } from "#web/auth/session.ts";
import { ReportedConversations } from "#web/features/messages/AdminMessages.tsx";
import { ConversationList, MessageEmails } from "#web/features/messages/ConversationList.tsx";
import { ConversationView } from "#web/features/messages/ConversationView.tsx";
import { AskSeller, MessageBuyer } from "#web/features/messages/NewConversation.tsx";
import { ConversationOffers, offersIn } from "#web/features/offers/OfferList.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/messages.ts";

export const meta = pageMeta("Messages");

/** Fetches the content before the page shows, so that nothing shifts. The page shows any errors. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const session = await requireMember(request);
  const query = new URL(request.url).searchParams;
  const [conversation, laptop] = [query.get("conversation"), query.get("about")];
  const ofConversation = { params: { id: conversation ?? "" } };
  await Promise.all([
    browserQueries.prefetchInfiniteQuery(listOf(listConversations, {})),
    conversation && browserQueries.prefetchQuery(queryOf(readConversation, ofConversation)),
    conversation && browserQueries.prefetchInfiniteQuery(listOf(listMessages, ofConversation)),
    conversation && browserQueries.prefetchInfiniteQuery(offersIn(conversation)),
    laptop && browserQueries.prefetchQuery(queryOf(readProduct, { params: { id: laptop } })),
    mayAct(session.staffRole, "moderation") &&
      browserQueries.prefetchInfiniteQuery(listOf(listConversationReports, {})),
  ]);
  return session;
}

/** Small screens show either the list or the open conversation. */
export default function Messages({ loaderData: session }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const id = query.get("conversation") ?? undefined;
  const isOpen = ["conversation", "about", "deal"].some((name) => query.has(name));
  const { data: conversations } = useInfiniteQuery(listOf(listConversations, {}));
  const hasNone = conversations?.length === 0;
  const moderates = mayAct(session.staffRole, "moderation");
  return (
    <>
      {moderates && !isOpen && (
        <Breadcrumbs
          above={[{ name: "Reported Items", to: paths.reportedItems() }]}
          here="Messages"
        />
      )}
      <div className={isOpen ? "messages-title" : ""}>
        <PageHeading title="Messages" />
      </div>
      {moderates && !isOpen && <ReportedConversations />}
      <div className={hasNone && !isOpen ? "" : "panes"}>
        {!(hasNone && isOpen) && (
          <section aria-label="Conversations" className={`pane ${isOpen ? "max-lg:hidden" : ""}`}>
            <div className="conversation-list">
              <ConversationList openId={id} session={session} />
            </div>
            <MessageEmails />
          </section>
        )}
        {isOpen ? (
          <OpenConversation id={id} session={session} />
        ) : (
          !hasNone && (
            <p className="pane items-center justify-center p-6 text-muted max-lg:hidden">
              Choose a conversation to read it here.
            </p>
          )
        )}
      </div>
    </>
  );
}

type OpenProps = { id: string | undefined; session: Session };

function OpenConversation({ id, session }: OpenProps) {
  const [query] = useSearchParams();
  const about = query.get("about");
  if (id !== undefined)
    return (
      <ConversationView
        key={id}
        id={id}
        offers={({ product, role, paid, other }) => (
          <ConversationOffers
            id={id}
            product={product._id}
            mayOffer={role === "buyer" && !paid && other.active}
          />
        )}
      />
    );
  if (about !== null) return <AskSeller key={about} laptopId={about} session={session} />;
  const deal = query.get("deal") ?? "";
  return <MessageBuyer key={deal} bookingId={deal} />;
}
