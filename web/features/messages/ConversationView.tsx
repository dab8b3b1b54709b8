import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import {
  type Conversation,
  listMessages,
  type Message,
  markConversationRead,
  readConversation,
  sendMessage,
} from "#contract/messages.ts";
import { listOf, queryOf, useCall } from "#web/api/api.ts";
import { meetingText } from "#web/domain/deals/meeting-text.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { UserText } from "#web/ui/UserText.tsx";
import { ConversationActions } from "./ConversationActions.tsx";
import { MessageForm } from "./MessageForm.tsx";
import { MessageLog } from "./MessageLog.tsx";

/** The polling interval in milliseconds. */
type Polling = number | false;

const skeleton = <div className="h-96 rounded-box border border-line" />;

type ConversationViewProps = {
  id: string;
  polling: Polling;
  /** Renders the offers for the conversation's laptop. */
  offers: (conversation: Conversation) => ReactNode;
};

/** A conversation with its messages and the form to answer. */
export function ConversationView({ id, polling, offers }: ConversationViewProps) {
  const request = { params: { id } };
  const conversation = useQuery({
    ...queryOf(readConversation, request),
    refetchInterval: polling,
  });
  return (
    <section aria-label="Conversation" className="min-w-0">
      <p className="mb-4 lg:hidden">
        <Link to={paths.messages()} className="link">
          All messages
        </Link>
      </p>
      <QueryState query={conversation} skeleton={skeleton}>
        {(known) => (
          <>
            <Head conversation={known} />
            <PlaceAndTime conversation={known} />
            {offers(known)}
            <Messages conversation={known} polling={polling} />
            <Answer conversation={known} />
          </>
        )}
      </QueryState>
    </section>
  );
}

function Head({ conversation }: { conversation: Conversation }) {
  const { product, other } = conversation;
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-3 border-line border-b pb-4">
      <div className="min-w-0">
        <h2 className="text-heading">
          <UserText>{other.name}</UserText>
        </h2>
        <Link to={paths.laptop(product._id, product.product_name)} className="link-hover text-sm">
          <ProductName name={product.product_name} />
        </Link>
      </div>
      <ConversationActions conversation={conversation} />
    </header>
  );
}

/** The place and time of the handover, if there is a deal about this laptop. */
function PlaceAndTime({ conversation: { deal, role } }: { conversation: Conversation }) {
  if (!deal) return null;
  const { meeting } = deal;
  return (
    <p className="mb-4">
      {meeting && (
        <>
          {meetingText(meeting, role)} Place: <UserText>{meeting.place}</UserText>{" "}
        </>
      )}
      <Link to={paths.handover(deal._id)} className="link">
        {meeting ? "Place and time" : "Propose a place and time"}
      </Link>
    </p>
  );
}

type MessagesProps = { conversation: Conversation; polling: Polling };

function Messages({ conversation, polling }: MessagesProps) {
  const request = { params: { id: conversation._id } };
  const messages = useInfiniteQuery({
    ...listOf(listMessages, request),
    refetchInterval: polling,
  });
  const { hasNextPage, fetchNextPage, isFetchingNextPage, ...query } = messages;
  useReadMark(conversation, messages.data?.[0]);
  const names = { other: conversation.other.name };
  return (
    <QueryState query={query} skeleton={skeleton}>
      {(known) => (
        <>
          {hasNextPage && (
            <Button
              look="plain"
              size="small"
              className="mb-4"
              busy={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              Show earlier messages
            </Button>
          )}
          <div role="log" aria-label="Messages">
            <MessageLog messages={known} names={names} />
          </div>
          <ScrollTarget newest={known[0]?._id} />
        </>
      )}
    </QueryState>
  );
}

/** Scrolls to the newest message, also when another message arrives. */
function ScrollTarget({ newest }: { newest: string | undefined }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (newest !== undefined) end.current?.scrollIntoView({ block: "nearest" });
  }, [newest]);
  return <div ref={end} className="h-1 scroll-mb-60" />;
}

/** Marks the messages as read once the page is visible. */
function useReadMark({ _id: id, unread }: Conversation, newest: Message | undefined): void {
  const { mutate } = useCall(markConversationRead, { onError: () => {} });
  const until = newest?.sentAt;
  useEffect(() => {
    if (unread === 0 || until === undefined) return;
    const mark = () => {
      if (!document.hidden) mutate({ params: { id }, body: { until } });
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [id, unread, until, mutate]);
}

function Answer({ conversation }: { conversation: Conversation }) {
  const { _id: id, other, blocked, paid, maySendPhotos } = conversation;
  const send = useCall(sendMessage, { onError: () => {} });
  if (blocked)
    return <p className="mt-6 text-muted">You have blocked this member. Unblock them to write.</p>;
  if (!other.active)
    return <p className="mt-6 text-muted">This member no longer receives messages.</p>;
  return (
    <MessageForm
      name={id}
      paid={paid}
      maySendPhotos={maySendPhotos}
      error={send.error}
      busy={send.isPending}
      onSend={(body, done) => send.mutate({ params: { id }, body }, { onSuccess: done })}
    />
  );
}
