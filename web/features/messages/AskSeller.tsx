import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate } from "react-router";
import { readProduct } from "#contract/laptops.ts";
import { askSeller, listConversations } from "#contract/messages.ts";
import { isBuyer } from "#contract/roles.ts";
import { listOf, queryOf, useCall } from "#web/api/api.ts";
import type { Session } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { ConversationHead, LaptopBar } from "./ConversationHead.tsx";
import { HiddenContacts, MessageForm } from "./MessageForm.tsx";

type AskSellerProps = { laptopId: string; session: Session };

/** Opens the existing conversation if there is one. */
export function AskSeller({ laptopId, session }: AskSellerProps) {
  const laptop = useQuery(queryOf(readProduct, { params: { id: laptopId } }));
  const { data: known = [] } = useInfiniteQuery(listOf(listConversations, {}));
  const navigate = useNavigate();
  const ask = useCall(askSeller, {
    onError: () => {},
    onSuccess: ({ insertedId }) =>
      void navigate(`${paths.messages()}?conversation=${insertedId}`, { replace: true }),
  });
  const existing = known.find(({ role, product }) => role === "buyer" && product._id === laptopId);
  if (existing && !ask.isPending)
    return <Navigate to={`${paths.messages()}?conversation=${existing._id}`} replace />;
  if (!isBuyer(session))
    return (
      <Notice title="Only buyers can ask a seller">
        <p>
          {session.isAdmin ? (
            "Log in with a buyer's account to ask about a laptop."
          ) : (
            <>
              You can buy with this account too: choose it in your{" "}
              <Link to={paths.profile()} className="link">
                profile
              </Link>
              .
            </>
          )}
        </p>
      </Notice>
    );
  return (
    <section aria-labelledby="ask-title" className="pane conversation">
      <QueryState query={laptop} skeleton={<div className="h-60" />}>
        {(known) => (
          <>
            <ConversationHead titleId="ask-title" title="Ask the seller">
              <LaptopBar
                id={known._id}
                name={known.product_name}
                img={known.withdrawn ? null : known.img}
                price={known.withdrawn ? undefined : known.resale_price}
              />
            </ConversationHead>
            <div className="message-log">
              <HiddenContacts />
            </div>
            <MessageForm
              name={`about ${known._id}`}
              label="Your question"
              error={ask.error}
              busy={ask.isPending}
              onSend={(message, done) =>
                ask.mutate(
                  { body: { ...message, product: { _id: known._id } } },
                  { onSuccess: done },
                )
              }
            />
          </>
        )}
      </QueryState>
    </section>
  );
}
