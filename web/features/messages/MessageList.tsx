import { Fragment } from "react";
import type { Message } from "#contract/messages.ts";
import { PrivatePhotos } from "#web/domain/photos/PrivatePhotos.tsx";
import { formatFullDay, formatTime } from "#web/ui/format-dates-and-counts.ts";
import "./messages.css";

type MessageListProps = {
  /** The messages, newest first. */
  messages: readonly Message[];
  names: Names;
};

/** Messages from oldest to newest, with the date above the first message of each day. */
export function MessageList({ messages, names }: MessageListProps) {
  const inOrder = messages.toReversed();
  return (
    <ol className="flex flex-col gap-3">
      {inOrder.map((message, index) => {
        const day = formatFullDay(message.sentAt);
        const before = inOrder[index - 1];
        return (
          <Fragment key={message._id}>
            {(before === undefined || formatFullDay(before.sentAt) !== day) && (
              <li className="message-day">{day}</li>
            )}
            <MessageBubble message={message} names={names} />
          </Fragment>
        );
      })}
    </ol>
  );
}

/** The senders' names. Only admins get `mine`; other readers see "You" instead. */
type Names = { mine?: string; other: string };

/** Shows admins no reason for hidden parts, because their page states it above all messages. */
function MessageBubble({ message, names }: { message: Message; names: Names }) {
  const { mine, text, hidden, photos, sentAt } = message;
  const sender = mine ? (names.mine ?? "You") : names.other;
  return (
    <li
      className={`flex max-w-[85%] flex-col gap-1 ${mine ? "items-end self-end" : "items-start"}`}
    >
      <p dir="auto" className={`bubble user-text whitespace-pre-line ${mine ? "bubble-mine" : ""}`}>
        <span className="sr-only">{`${sender}: `}</span>
        {text === "" ? "Deleted with the account of who wrote it." : text}
      </p>
      <PrivatePhotos photos={photos} of={sender} />
      {hidden && names.mine === undefined && (
        <p className={`text-muted text-sm ${mine ? "text-end" : ""}`}>
          {mine ? hiddenFromOther(names.other) : hiddenHere}
        </p>
      )}
      <time dateTime={sentAt} className="text-muted text-xs">
        {formatTime(sentAt)}
      </time>
    </li>
  );
}

const hiddenHere = "We show the hidden parts once the laptop is paid for here.";

function hiddenFromOther(name: string): string {
  return `${name} can't see the phone number, email address or link in this yet. We show it once the laptop is paid for here.`;
}
