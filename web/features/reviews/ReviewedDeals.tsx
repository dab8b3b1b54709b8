import { useInfiniteQuery } from "@tanstack/react-query";
import {
  listReviewedDeals,
  maxReplyLength,
  maxReviewLength,
  type ReviewedDeal,
  readReviewEmails,
  replyToReview,
  reviewForm,
  setReviewEmails,
  writeReview,
} from "#contract/reviews.ts";
import { listOf } from "#web/api/api.ts";
import { useFormCall } from "#web/api/form-call.tsx";
import { EmailsCheckbox } from "#web/domain/members/EmailsCheckbox.tsx";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { DialogButton } from "#web/ui/DialogButton.tsx";
import { DialogSubmit, Form, FormField, FormSubmit } from "#web/ui/Form.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { Notice } from "#web/ui/Notice.tsx";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { StarChoice, Stars } from "#web/ui/Stars.tsx";
import { useFormWithDraft, useZodForm } from "#web/ui/use-zod-form.ts";
import { ReportReview } from "./ReportReview.tsx";

export function ReviewedDeals({ first }: { first: string | null }) {
  const deals = useInfiniteQuery(listOf(listReviewedDeals, {}));
  return (
    <QueryState
      query={deals}
      skeleton={<div className="h-60 rounded-box border border-line" />}
      empty={
        <Notice title="Nothing to review yet" drawing>
          <p>Once a laptop is handed over, buyer and seller can review each other.</p>
        </Notice>
      }
    >
      {(all) => (
        <ul className="flex flex-col gap-4">
          {all
            .toSorted((one, other) => Number(other._id === first) - Number(one._id === first))
            .map((deal) => (
              <li key={deal._id} className="rounded-box border border-line bg-base-100 p-4">
                <Deal deal={deal} />
              </li>
            ))}
        </ul>
      )}
    </QueryState>
  );
}

function Deal({ deal }: { deal: ReviewedDeal }) {
  const { product, other, role, published, mine, theirs } = deal;
  return (
    <article aria-label={product.product_name}>
      <div className="flex gap-3">
        <span className="shrink-0">
          {product.img !== null && <Thumbnail img={product.img} alt="" />}
        </span>
        <div className="min-w-0">
          <h2 className="font-medium">
            <LaptopLink {...product} />
          </h2>
          <p className="text-muted text-sm">
            {role === "buyer" ? "Bought from " : "Sold to "}
            <bdi>{other.name}</bdi>
          </p>
        </div>
      </div>
      {mine ? <Written title="Your review" review={mine} /> : <ToWrite deal={deal} />}
      {mine && !published && (
        <p className="mt-2 text-muted text-sm">
          {`We'll publish it once ${other.name} has reviewed you too, or on ${formatDateTime(deal.closesAt)}.`}
        </p>
      )}
      {theirs && <AboutMe name={other.name} review={theirs} />}
    </article>
  );
}

function ToWrite({ deal }: { deal: ReviewedDeal }) {
  if (deal.published || Date.parse(deal.closesAt) <= Date.now())
    return <p className="mt-4 text-muted text-sm">You didn't write a review.</p>;
  return (
    <>
      <p className="mt-4 text-muted text-sm">
        {`You can write a review until ${formatDateTime(deal.closesAt)}. We'll publish both reviews once you've both written one, or at that time.`}
      </p>
      <ReviewForm deal={deal} />
    </>
  );
}

type OwnReview = NonNullable<ReviewedDeal["mine"]>;

function Written({ title, review }: { title: string; review: OwnReview }) {
  return (
    <section className="mt-4">
      <h3 className="font-medium text-sm">{title}</h3>
      {review.removed ? (
        <p className="text-muted text-sm">Our team has removed this review.</p>
      ) : (
        <>
          <Stars stars={review.stars} />
          <p dir="auto" className="user-text whitespace-pre-line">
            {review.text}
          </p>
          {review.reply !== null && (
            <div className="reply">
              <p className="text-muted text-sm">Reply</p>
              <p dir="auto" className="user-text whitespace-pre-line">
                {review.reply}
              </p>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function AboutMe({ name, review }: { name: string; review: OwnReview }) {
  return (
    <>
      <Written title={`${name} about you`} review={review} />
      {!review.removed && (
        <div className="mt-3 flex flex-wrap items-start gap-2">
          {review.reply === null && <ReplyForm id={review._id} />}
          <ReportReview id={review._id} />
        </div>
      )}
    </>
  );
}

export function ReviewEmails() {
  return (
    <div className="mt-6 text-sm">
      <EmailsCheckbox
        read={readReviewEmails}
        change={setReviewEmails}
        label="Email me about reviews"
      />
    </div>
  );
}

/** Keeps the typed text when the dialog closes. */
function ReplyForm({ id }: { id: string }) {
  const form = useFormWithDraft({ defaultValues: { text: "" } });
  const reply = useFormCall(form, replyToReview);
  return (
    <DialogButton
      dialog={(onClose) => (
        <Dialog title="Reply to this review" onClose={onClose}>
          <Form
            form={form}
            onSubmit={(body) => reply.mutate({ params: { id }, body }, { onSuccess: onClose })}
          >
            <FormField
              form={form}
              name="text"
              label="Your reply"
              as="textarea"
              maxLength={maxReplyLength}
              hint="Everyone can read it. You can reply once, and can't change it later."
            />
            <DialogSubmit form={form} busy={reply.isPending} />
          </Form>
        </Dialog>
      )}
    >
      Reply
    </DialogButton>
  );
}

function ReviewForm({ deal }: { deal: ReviewedDeal }) {
  const draft = { name: `review ${deal._id}`, fields: ["stars", "text"] } as const;
  const form = useZodForm(reviewForm, { stars: "", text: "" }, draft);
  const write = useFormCall(form, writeReview, {
    draft: draft.name,
    success: "Thanks for your review.",
  });
  return (
    <Form
      form={form}
      onSubmit={(review) => write.mutate({ body: { booking: deal._id, ...review } })}
      className="mt-4 flex flex-col gap-2"
    >
      <StarChoice
        legend="Stars"
        error={form.formState.errors.stars?.message}
        {...form.register("stars")}
      />
      <FormField
        form={form}
        name="text"
        label="How was it?"
        as="textarea"
        maxLength={maxReviewLength}
        hint="You can't change it later. Phone numbers, email addresses and links are removed."
      />
      <FormSubmit form={form} size="medium" busy={write.isPending} className="self-start">
        Send review
      </FormSubmit>
    </Form>
  );
}
