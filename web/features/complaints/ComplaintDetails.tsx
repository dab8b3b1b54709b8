import type { ReactNode } from "react";
import type { Complaint } from "#contract/complaints.ts";
import { formatPrice } from "#contract/price.ts";
import { PrivatePhotos } from "#web/domain/photos/PrivatePhotos.tsx";
import { paths } from "#web/paths.ts";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { TextLink } from "#web/ui/Link.tsx";
import { answerText, decisionText, nextSteps, reasonNames, settledBy } from "./complaint-words.ts";

type ComplaintDetailsProps = {
  complaint: Complaint;
  /** The photos of the listing as it was booked, for admins to compare. */
  listingPhotos?: ReactNode;
};

export function ComplaintDetails({ complaint, listingPhotos }: ComplaintDetailsProps) {
  const { product, price, role, reason, words, photos, openedAt, answer, decision } = complaint;
  const buyer = role === "buyer" ? "You" : complaint.buyer;
  const seller = role === "seller" ? "You" : complaint.seller;
  return (
    <dl className="flex flex-col gap-4">
      <Entry name="Laptop">
        <TextLink to={paths.laptop(product._id, product.product_name)}>
          {product.product_name}
        </TextLink>
        , {formatPrice(price)}
      </Entry>
      <Entry name={`${buyer}, the buyer, on ${formatDateTime(openedAt)}`}>
        <p className="font-medium">{reasonNames[reason]}</p>
        <Words text={words} />
        <div className="mt-2 flex flex-wrap items-end gap-x-6 gap-y-2">
          <PrivatePhotos photos={photos} of={complaint.buyer} />
          {listingPhotos}
        </div>
      </Entry>
      <Entry
        name={`${seller}, the seller${answer ? `, on ${formatDateTime(answer.answeredAt)}` : ""}`}
      >
        <p role="status">{answerText(complaint)}</p>
        {answer && (
          <>
            <Words text={answer.words} />
            <PrivatePhotos photos={answer.photos} of={complaint.seller} />
          </>
        )}
      </Entry>
      {!decision && <Entry name="What happens next">{nextSteps(complaint)}</Entry>}
      {decision && (
        <Entry name={`Settled on ${formatDateTime(decision.decidedAt)}`}>
          <p className="font-medium">{decisionText(complaint)}</p>
          {decision.returnBy && role !== "admin" && (
            <TextLink to={paths.handover(complaint._id)}>
              {role === "buyer" ? "Show my return code" : "Enter the return code"}
            </TextLink>
          )}
          <Words text={settledBy(complaint)} />
        </Entry>
      )}
    </dl>
  );
}

function Words({ text }: { text: string }) {
  return (
    <p dir="auto" className="user-text whitespace-pre-line">
      {text}
    </p>
  );
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-sm">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
