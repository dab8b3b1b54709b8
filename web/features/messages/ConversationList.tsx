import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import {
  type Conversation,
  listConversations,
  readMessageInbox,
  setMessageEmails,
} from "#contract/messages.ts";
import { isBuyer } from "#contract/roles.ts";
import { listOf } from "#web/api/api.ts";
import { useLiveChanges } from "#web/api/live-changes.ts";
import type { Session } from "#web/auth/session.ts";
import { EmailsCheckbox } from "#web/domain/members/EmailsCheckbox.tsx";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { TimeAgo } from "#web/ui/TimeAgo.tsx";
import { SmallPhoto } from "./ConversationHead.tsx";

type ConversationListProps = { openId: string | undefined; session: Session };

export function ConversationList({ openId, session }: ConversationListProps) {
  const refetchInterval = useLiveChanges();
  const conversations = useInfiniteQuery({ ...listOf(listConversations, {}), refetchInterval });
  return (
    <QueryState
      query={conversations}
      skeleton={<div className="h-60" />}
      empty={
        <Notice title="No messages yet" drawing>
          <HowToStart session={session} />
        </Notice>
      }
    >
      {(all) => (
        <ul className="divide-y divide-line border-line border-b">
          {all.map((conversation) => (
            <li key={conversation._id}>
              <Entry conversation={conversation} isOpen={conversation._id === openId} />
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  );
}

function HowToStart({ session }: { session: Session }) {
  if (session.isAdmin) return <p>Only buyers and sellers write to each other here.</p>;
  if (!isBuyer(session))
    return <p>When a buyer asks about one of your laptops, you answer here.</p>;
  return (
    <>
      <p>Press Ask the seller on a laptop's page to write to them.</p>
      <ButtonLink to={paths.search()}>Search laptops</ButtonLink>
    </>
  );
}

function Entry({ conversation, isOpen }: { conversation: Conversation; isOpen: boolean }) {
  const { _id, product, other, unread, lastMessage } = conversation;
  return (
    <Link
      to={`${paths.messages()}?conversation=${_id}`}
      aria-current={isOpen ? "page" : undefined}
      className="flex items-start gap-3 p-3 hover:bg-base-200"
    >
      <SmallPhoto img={product.img} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className={`line-clamp-2 ${unread > 0 ? "font-bold" : "font-medium"}`}>
            <bdi>{other.name}</bdi>
          </span>
          <span className="shrink-0 text-muted text-sm">
            <TimeAgo at={lastMessage.sentAt} />
          </span>
        </span>
        <span className="line-clamp-2 text-sm">
          <bdi>{product.product_name}</bdi>
        </span>
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate text-muted text-sm">
            {lastMessage.mine && "You: "}
            <bdi>{lastMessage.text}</bdi>
          </span>
          {unread > 0 && (
            <span className="shrink-0 rounded-full bg-primary px-2 text-primary-content text-sm tabular-nums">
              {unread}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </span>
      </span>
    </Link>
  );
}

export function MessageEmails() {
  return (
    <div className="message-emails">
      <EmailsCheckbox
        read={readMessageInbox}
        change={setMessageEmails}
        label="Email me about unread messages"
      />
    </div>
  );
}
