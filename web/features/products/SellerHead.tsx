import type { Seller } from "#contract/sellers.ts";
import { checksSentence } from "#web/domain/sellers/seller-checks.ts";
import { ratingText, replyTimeText } from "#web/domain/sellers/seller-texts.ts";
import { counted, formatMonthAndYear } from "#web/ui/format.ts";
import { VerifiedBadge } from "./VerifiedBadge.tsx";

/** The seller's name and record. */
export function SellerHead({ seller }: { seller: Seller }) {
  const { name, verify, checks, memberSince, sold, rating, repliesWithinHours } = seller;
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="user-text min-w-0 text-title">
          <bdi>{name}</bdi>
        </h1>
        {verify && <VerifiedBadge checks={checks} />}
      </div>
      {verify && <p className="text-sm">{checksSentence(checks)}</p>}
      <p className="font-medium">{rating ? ratingText(rating) : "No reviews yet"}</p>
      <p className="text-muted text-sm">
        {`Member since ${formatMonthAndYear(memberSince)}. `}
        {sold === 0 ? "No laptop sold here yet." : `${counted(sold, "laptop")} sold here.`}
        {repliesWithinHours !== null && ` ${replyTimeText(repliesWithinHours)}.`}
      </p>
    </header>
  );
}
