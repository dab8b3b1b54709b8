import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, useState } from "react";
import type { Answer } from "#contract/call.ts";
import {
  type DealRecord,
  draftEvidence,
  evidenceForm,
  submitEvidence,
} from "#contract/deal-records.ts";
import { formatPrice } from "#contract/price.ts";
import { queryOf } from "#web/api/api.ts";
import { useFormCall } from "#web/api/form-call.tsx";
import { StaffOnly } from "#web/auth/StaffOnly.tsx";
import { disputeReason, inquiryText } from "#web/domain/deals/payment-texts.ts";
import { PrivatePhotos } from "#web/domain/photos/PrivatePhotos.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { FormField, FormMessage } from "#web/ui/Form.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { ListingPhotos } from "./DealRecordView.tsx";

type Dispute = DealRecord["disputes"][number];

export function EvidenceForm({ deal, dispute }: { deal: DealRecord; dispute: Dispute }) {
  const { state, amount, reason, openedAt, respondBy, submittedAt } = dispute;
  const isInquiry = state === "inquiry";
  const title = `${isInquiry ? "Inquiry about" : "Dispute over"} ${formatPrice(amount)}`;
  return (
    <section
      aria-label={title}
      tabIndex={-1}
      className="rounded-box border border-line bg-base-100 p-5 sm:p-8"
    >
      <h2 className="mb-2 text-heading">{title}</h2>
      <p>
        The buyer's bank asked {isInquiry ? "about the payment" : "for the money back"} on{" "}
        {formatDateTime(openedAt)}. Its reason: {disputeReason(reason)}.
      </p>
      <p className="font-medium">{statusText(dispute)}</p>
      {state === "open" && respondBy !== null && submittedAt === null && (
        <StaffOnly access="finance" to="send it">
          <Draft deal={deal} dispute={dispute} />
        </StaffOnly>
      )}
    </section>
  );
}

function statusText({ state, respondBy, submittedAt }: Dispute): string {
  if (state === "inquiry") return inquiryText(respondBy);
  if (state === "won") return "The bank doesn't take the money back.";
  if (state === "lost") return "The bank gave the money back to the buyer.";
  if (submittedAt !== null)
    return `Evidence was sent on ${formatDateTime(submittedAt)}. The bank is deciding.`;
  if (respondBy === null) return "The bank has evidence, and is deciding.";
  return `Send evidence by ${formatDateTime(respondBy)}. Without it the bank gives the money back.`;
}

/** Fetches the draft only on request: it quotes messages, and each access is logged. */
function Draft({ deal: { _id: id }, dispute }: { deal: DealRecord; dispute: Dispute }) {
  const [isOpen, setOpen] = useState(false);
  const draft = useQuery({ ...queryOf(draftEvidence, { params: { id } }), enabled: isOpen });
  // Moves focus to the section, because the form replaces the button.
  const open = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    currentTarget.closest("section")?.focus({ preventScroll: true });
    setOpen(true);
  };
  if (!isOpen)
    return (
      <Button className="mt-4" onClick={open}>
        Write the evidence
      </Button>
    );
  return (
    <QueryState query={draft} skeleton={<div className="h-96" />}>
      {(written) => <SendForm bookingId={id} dispute={dispute._id} draft={written} />}
    </QueryState>
  );
}

type SendFormProps = { bookingId: string; dispute: string; draft: Answer<typeof draftEvidence> };

function SendForm({ bookingId, dispute, draft }: SendFormProps) {
  const { text, listingPhotos, privatePhotos, sent } = draft;
  const form = useZodForm(evidenceForm, { text });
  const [withPhotos, setWithPhotos] = useState(true);
  const photos = withPhotos ? [...listingPhotos, ...privatePhotos.map(({ _id }) => _id)] : [];
  const send = useFormCall(form, submitEvidence, { success: "The evidence was sent to the bank." });
  const submit = (done: () => void) =>
    void form
      .handleSubmit((values) =>
        send.mutateAsync({ params: { id: bookingId }, body: { dispute, photos, ...values } }),
      )()
      .catch(() => {})
      .finally(done);
  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      noValidate
      className="mt-4 flex flex-col gap-2"
    >
      <FormField
        form={form}
        name="text"
        label="Evidence"
        as="textarea"
        rows={10}
        hint="Put together from the deal. Check it, and add what is missing: it can be sent once. The bank also gets the buyer's name and email address, the laptop's name and the day of the handover."
      />
      {listingPhotos.length + privatePhotos.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-medium">Photos</legend>
          <p className="text-muted text-sm">
            Of the listing as it was booked, the messages and the complaint. The bank gets them as
            one picture that says below each what it shows.
          </p>
          <ListingPhotos images={listingPhotos} />
          <PrivatePhotos photos={privatePhotos} of="this deal" />
          {!sent && (
            <label className="flex min-h-11 items-center gap-2">
              <input
                type="checkbox"
                className="size-4.5 accent-primary"
                checked={withPhotos}
                onChange={({ target }) => setWithPhotos(target.checked)}
              />
              Send these photos with the text
            </label>
          )}
        </fieldset>
      )}
      <FormMessage message={form.formState.errors.root?.message} />
      <div>
        <ConfirmButton
          title="Send the evidence?"
          message="It can be sent once, and not changed afterwards."
          confirm="Send"
          busy={send.isPending}
          onConfirm={submit}
        >
          Send to the bank
        </ConfirmButton>
      </div>
    </form>
  );
}
