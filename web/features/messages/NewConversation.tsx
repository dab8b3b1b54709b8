import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Navigate, useNavigate } from "react-router";
import { readProduct } from "#contract/laptop-page.ts";
import {
  askSeller,
  type Conversation,
  listConversations,
  messageBuyer,
} from "#contract/messages.ts";
import { isBuyer } from "#contract/roles.ts";
import { listOf, queryOf, useCall } from "#web/api/api.ts";
import type { Session } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { ConversationHead, LaptopBar } from "./ConversationHead.tsx";
import { HiddenContacts, MessageForm } from "./MessageForm.tsx";

/** `existing` redirects to a matching conversation. `options` are for the call that creates one. */
function useNewConversation(isSought: (conversation: Conversation) => boolean) {
  const { data: known = [] } = useInfiniteQuery(listOf(listConversations, {}));
  const navigate = useNavigate();
  const existing = known.find(isSought);
  const pathOf = (id: string) => `${paths.messages()}?conversation=${id}`;
  const onSuccess = ({ insertedId }: { insertedId: string }) =>
    void navigate(pathOf(insertedId), { replace: true });
  return {
    existing: existing && <Navigate to={pathOf(existing._id)} replace />,
    options: { onError: () => {}, onSuccess },
  };
}

type AskSellerProps = { laptopId: string; session: Session };

export function AskSeller({ laptopId, session }: AskSellerProps) {
  const laptop = useQuery(queryOf(readProduct, { params: { id: laptopId } }));
  const { existing, options } = useNewConversation(
    ({ role, product }) => role === "buyer" && product._id === laptopId,
  );
  const ask = useCall(askSeller, options);
  if (existing && !ask.isPending) return existing;
  if (!isBuyer(session))
    return (
      <Notice title="Only buyers can ask a seller">
        <p>
          {session.isAdmin ? (
            "Log in with a buyer's account to ask about a laptop."
          ) : (
            <>
              You can buy with this account too. Turn that on in your{" "}
              <TextLink to={paths.profile()}>profile</TextLink>.
            </>
          )}
        </p>
      </Notice>
    );
  return (
    <section aria-label="Ask the seller" className="pane conversation">
      <QueryState query={laptop} skeleton={<div className="h-60" />}>
        {(known) => (
          <>
            <ConversationHead title="Ask the seller">
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

export function MessageBuyer({ bookingId }: { bookingId: string }) {
  const { existing, options } = useNewConversation(
    ({ role, deal }) => role === "seller" && deal?._id === bookingId,
  );
  const write = useCall(messageBuyer, options);
  if (existing && !write.isPending) return existing;
  return (
    <section aria-label="Message the buyer" className="pane conversation">
      <ConversationHead title="Message the buyer" />
      <div className="message-log">
        <HiddenContacts />
      </div>
      <MessageForm
        name={`deal ${bookingId}`}
        error={write.error}
        busy={write.isPending}
        onSend={({ text, key }, done) =>
          write.mutate({ params: { id: bookingId }, body: { text, key } }, { onSuccess: done })
        }
      />
    </section>
  );
}
