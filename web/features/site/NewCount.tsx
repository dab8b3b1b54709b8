import { NeedsYouCount } from "./NeedsYouCount.tsx";
import { UnreadMessages } from "./UnreadMessages.tsx";

/** The count on an entry of the side menu or the bar of shortcuts. */
export default function NewCount({ of }: { of: string }) {
  return of === "Messages" ? <UnreadMessages /> : <NeedsYouCount />;
}
