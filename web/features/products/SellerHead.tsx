import type { Seller } from "#contract/sellers.ts";
import { ratingText, sellerRecordText } from "#web/domain/sellers/seller-texts.ts";
import { checksSentence, VerifiedBadge } from "./VerifiedBadge.tsx";

export function SellerHead({ seller }: { seller: Seller }) {
  const { name, verify, checks, rating } = seller;
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
      <p className="text-muted text-sm">{sellerRecordText(seller)}</p>
    </header>
  );
}
