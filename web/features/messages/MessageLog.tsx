import { Fragment } from "react";
import type { Message } from "#contract/messages.ts";
import { formatDay } from "#web/ui/format-day.ts";
import { MessageBubble, type Names } from "./MessageBubble.tsx";

type MessageLogProps = {
  /** The messages, newest first. */
  messages: readonly Message[];
  names: Names;
};

/** Messages from oldest to newest, with the date above the first message of each day. */
export function MessageLog({ messages, names }: MessageLogProps) {
  const inOrder = messages.toReversed();
  return (
    <ol className="flex flex-col gap-3">
      {inOrder.map((message, index) => {
        const day = formatDay(message.sentAt);
        const before = inOrder[index - 1];
        return (
          <Fragment key={message._id}>
            {(before === undefined || formatDay(before.sentAt) !== day) && (
              <li className="message-day">{day}</li>
            )}
            <MessageBubble message={message} names={names} />
          </Fragment>
        );
      })}
    </ol>
  );
}
