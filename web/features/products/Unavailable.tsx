import { lazy, Suspense } from "react";
import type { Product } from "#contract/products.ts";
import { useSession } from "#web/auth/session.ts";
import { UnavailableNote, type UnavailableStatus } from "./UnavailableNote.tsx";

const texts: Record<UnavailableStatus, [title: string, text: string]> = {
  booked: ["On hold", "Someone has booked this laptop. If they don't pay, you can book it here."],
  sold: ["Sold", "This laptop has found a new owner."],
};

const OwnDeal = lazy(() => import("./OwnDeal.tsx"));

type UnavailableProps = { laptop: Product; status: UnavailableStatus };

/**
 * Explains why a laptop can't be booked. The server's page is the same for everyone, so the browser
 * adds whether the deal is the reader's own.
 */
export function Unavailable({ laptop, status }: UnavailableProps) {
  const isMember = Boolean(useSession());
  const [title, text] = texts[status];
  const forOthers = <UnavailableNote title={title}>{text}</UnavailableNote>;
  if (!isMember) return forOthers;
  return (
    <Suspense fallback={forOthers}>
      <OwnDeal laptop={laptop} status={status} forOthers={forOthers} />
    </Suspense>
  );
}
