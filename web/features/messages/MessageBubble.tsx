import type { Message } from "#contract/messages.ts";
import { formatDateTime } from "#web/ui/format.ts";

/** `mine`: undefined for the reader's own messages, given for admins. */
type Names = { mine?: string; other: string };

/** A message, and why part of it is hidden, which admins read once above all messages. */
export function MessageBubble({ message, names }: { message: Message; names: Names }) {
  const { mine, text, hidden, sentAt } = message;
  const sender = mine ? (names.mine ?? "You") : names.other;
  return (
    <li className={`flex max-w-[85%] flex-col ${mine ? "items-end self-end" : "items-start"}`}>
      <p
        dir="auto"
        className={`user-text whitespace-pre-line rounded-box border border-line px-4 py-2 ${mine ? "bg-base-100" : ""}`}
      >
        <span className="sr-only">{`${sender}: `}</span>
        {text === "" ? "Deleted with the account of who wrote it." : text}
      </p>
      {hidden && names.mine === undefined && (
        <p className={`mt-1 text-muted text-sm ${mine ? "text-end" : ""}`}>
          {mine ? hiddenFromOther(names.other) : hiddenHere}
        </p>
      )}
      <time dateTime={sentAt} className="mt-1 text-muted text-sm">
        {formatDateTime(sentAt)}
      </time>
    </li>
  );
}

const hiddenHere = "What is hidden is shown once the laptop is paid for here.";

function hiddenFromOther(name: string): string {
  return `${name} can't see the phone number, email address or link in this yet. We show it once the laptop is paid for here.`;
}
