import { useInfiniteQuery } from "@tanstack/react-query";
import { type RefObject, useEffect } from "react";
import {
  type Conversation,
  listMessages,
  type Message,
  markConversationRead,
} from "#contract/messages.ts";
import { listOf, useCall } from "#web/api/api.ts";
import { useLiveChanges } from "#web/api/live-changes.ts";
import { Button } from "#web/ui/Button.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { HiddenContacts } from "./MessageForm.tsx";
import { MessageList } from "./MessageList.tsx";

type MessageLogProps = { conversation: Conversation; ref: RefObject<HTMLDivElement | null> };

/** The scrollable list of messages. Loads older messages on request, and marks all as read. */
export function MessageLog({ conversation, ref }: MessageLogProps) {
  const request = { params: { id: conversation._id } };
  const refetchInterval = useLiveChanges();
  const messages = useInfiniteQuery({ ...listOf(listMessages, request), refetchInterval });
  const { hasNextPage, fetchNextPage, isFetchingNextPage, ...query } = messages;
  useReadMark(conversation, messages.data?.[0]);
  const names = { other: conversation.other.name };
  return (
    <div
      ref={ref}
      role="log"
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll only a focused region
      tabIndex={0}
      className="message-log"
    >
      <div>
        <QueryState query={query} skeleton={<div className="h-96" />}>
          {(known) => (
            <>
              {!conversation.paid && <HiddenContacts />}
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
              <MessageList messages={known} names={names} />
            </>
          )}
        </QueryState>
      </div>
    </div>
  );
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
