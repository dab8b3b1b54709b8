import type { Booking } from "#contract/bookings.ts";
import { complain, complaintReasons, newComplaint } from "#contract/complaints.ts";
import { complaintTerms } from "#contract/deal-texts.ts";
import type { BookingState } from "#contract/life-cycle.ts";
import { useFormCall } from "#web/api/form-call.tsx";
import { PhotoAttachments, useAttachments } from "#web/domain/photos/PhotoAttachments.tsx";
import { paths } from "#web/paths.ts";
import { Form, FormField, FormSubmit } from "#web/ui/Form.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { ButtonLink } from "#web/ui/Link.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { reasonNames } from "./complaint-words.ts";

export function NewComplaint({ order }: { order: Booking }) {
  const { _id, complaintUntil } = order;
  if (complaintUntil === null) return <NoComplaint order={order} />;
  return <ComplaintForm bookingId={_id} until={complaintUntil} />;
}

const schema = newComplaint.omit({ bookingId: true, photos: true });
const options = complaintReasons.map((value) => ({ value, label: reasonNames[value] }));

function ComplaintForm({ bookingId, until }: { bookingId: string; until: string }) {
  const draft = { name: `complaint ${bookingId}`, fields: ["reason", "words"] } as const;
  const form = useZodForm(schema, { reason: "not_as_described", words: "" }, draft);
  const photos = useAttachments();
  const send = useFormCall(form, complain, {
    draft: draft.name,
    success: "Sent to the seller. We keep your money until it's settled.",
  });
  return (
    <Form
      form={form}
      onSubmit={(values) =>
        photos.areSent() && send.mutate({ body: { bookingId, ...values, photos: photos.ids } })
      }
    >
      <p className="mb-4">
        Tell us what is wrong with the laptop, by {formatDateTime(until)} at the latest. We keep
        your money until it's settled. The seller reads this and answers within{" "}
        {complaintTerms.answerHours} hours; if you can't agree, one of our admins decides within{" "}
        {complaintTerms.decisionDays} days. If nobody has decided {complaintTerms.undecidedDays}{" "}
        days from now, you get all of your money back once the seller has the laptop.
      </p>
      <FormField form={form} name="reason" label="What is wrong?" as="select" options={options} />
      <FormField form={form} name="words" label="Describe it" as="textarea" />
      <div className="mb-4">
        <p className="mb-1.5 font-medium text-sm">Photos</p>
        <p className="mb-2 text-muted text-sm">
          Show what is wrong. Only you, the seller and our admins see them.
        </p>
        <PhotoAttachments photos={photos} />
      </div>
      <FormSubmit form={form} busy={send.isPending || photos.isSending}>
        Send
      </FormSubmit>
    </Form>
  );
}

const ended = {
  title: "This order has ended",
  text: "You didn't pay for this laptop, so there is no money to give back.",
};

const refusals: Record<BookingState, { title: string; text: string }> = {
  held: {
    title: "Not paid yet",
    text: "You haven't been charged. If you no longer want this laptop, end the hold in My Orders. If its description is wrong, press Report on its page.",
  },
  paid: {
    title: "Not handed over yet",
    text: "You can say that something is wrong once you have the laptop. Until then we keep your money: if it isn't what was described, don't take it and don't show your handover code, and write to the seller. What isn't handed over in time is refunded in full.",
  },
  completed: {
    title: "The time for this has passed",
    text: "You could say that something is wrong until the money went to the seller. You can still write to them.",
  },
  refunded: {
    title: "This order has ended",
    text: "The purchase was canceled. My Orders says how your money comes back.",
  },
  expired: ended,
  cancelled: ended,
};

function NoComplaint({ order: { state, bookingProduct } }: { order: Booking }) {
  const { title, text } = refusals[state];
  const hasSeller = state === "paid" || state === "completed";
  return (
    <>
      <h2 className="text-heading">{title}</h2>
      <p>{text}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.myOrders()}>Back to My Orders</ButtonLink>
        {hasSeller && (
          <ButtonLink to={`${paths.messages()}?about=${bookingProduct._id}`} look="plain">
            Message the seller
          </ButtonLink>
        )}
      </div>
    </>
  );
}
