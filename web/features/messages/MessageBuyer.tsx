import { useInfiniteQuery } from "@tanstack/react-query";
import { Navigate, useNavigate } from "react-router";
import { listConversations, messageBuyer } from "#contract/messages.ts";
import { listOf, useCall } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { ConversationHead } from "./ConversationHead.tsx";
import { HiddenContacts, MessageForm } from "./MessageForm.tsx";

/** Opens the existing conversation if there is one. */
export function MessageBuyer({ bookingId }: { bookingId: string }) {
  const { data: known = [] } = useInfiniteQuery(listOf(listConversations, {}));
  const navigate = useNavigate();
  const write = useCall(messageBuyer, {
    onError: () => {},
    onSuccess: ({ insertedId }) =>
      void navigate(`${paths.messages()}?conversation=${insertedId}`, { replace: true }),
  });
  const existing = known.find(({ role, deal }) => role === "seller" && deal?._id === bookingId);
  if (existing && !write.isPending)
    return <Navigate to={`${paths.messages()}?conversation=${existing._id}`} replace />;
  return (
    <section aria-labelledby="buyer-title" className="pane conversation">
      <ConversationHead titleId="buyer-title" title="Message the buyer" />
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
