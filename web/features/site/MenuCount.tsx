import type { NeedsYou } from "#contract/needs-you.ts";
import { QueueCount } from "./QueueCount.tsx";
import { UnreadMessages } from "./UnreadMessages.tsx";

/** Counts what waits for an admin on the page of a menu entry, and on the pages below it. */
const counts: Record<string, (found: NeedsYou) => number> = {
  "Reported Items": ({ queues }) => queues.reports + queues.messages + queues.reviews,
  "To check": ({ queues }) => queues.listings + queues.invitations,
  Complaints: ({ items }) => items.filter(({ reason }) => reason === "complaint").length,
  "Needs you": ({ items }) => items.length,
  Health: ({ queues }) => queues.problems,
};

/** The count on an entry of the side menu or the bar of shortcuts; most entries have none. */
export default function MenuCount({ of }: { of: string }) {
  if (of === "Messages") return <UnreadMessages />;
  const count = counts[of];
  return count ? <QueueCount count={count} /> : null;
}
