import { useNavigate } from "react-router";
import {
  confirmHandover,
  confirmHandoverByCode,
  type Handover,
  handoverCodeForm,
} from "#contract/handover.ts";
import { useCall } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { Form, FormField, FormSubmit } from "#web/ui/Form.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";

const texts = {
  handover: {
    first:
      "Let the buyer check the laptop. Once they are happy with it, ask for the six digits that they find under Handover code in My Orders.",
    label: "Handover code",
    confirm: "Confirm handover",
    done: "Handed over. Payouts shows when the money is on its way.",
  },
  return: {
    first:
      "Look the laptop over. Once you have it back, ask the buyer for the six digits under Return code in My Orders. They then get all of their money back.",
    label: "Return code",
    confirm: "Confirm return",
    done: "You have it back. The buyer is refunded.",
  },
};

/** For the handover or the return. `scanned` is the code from the QR code's link, or empty. */
export function HandoverForm({ deal, scanned }: { deal: Handover; scanned: string }) {
  const { _id: id } = deal;
  const isReturn = deal.refund === "waits";
  const { first, label, confirm: submit, done } = texts[isReturn ? "return" : "handover"];
  const navigate = useNavigate();
  const form = useZodForm(handoverCodeForm, { code: scanned });
  const onSuccess = () => {
    toast.success(done);
    void navigate(paths.myProducts(), { replace: true });
  };
  const confirm = useCall(confirmHandoverByCode, {
    onSuccess,
    onError: (error) => showFormError(form, error),
  });
  return (
    <>
      <Form form={form} onSubmit={({ code }) => confirm.mutate({ body: { id, code } })}>
        <p className="mb-4">{first}</p>
        <FormField
          form={form}
          name="code"
          label={label}
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="done"
        />
        <FormSubmit form={form} busy={confirm.isPending}>
          {submit}
        </FormSubmit>
      </Form>
      {isReturn && <ReturnWithoutCode id={id} onSuccess={onSuccess} />}
    </>
  );
}

/** Lets the seller confirm a return without a code, for example after a return by mail. */
function ReturnWithoutCode({ id, onSuccess }: { id: string; onSuccess: () => void }) {
  const confirm = useCall(confirmHandover, { onSuccess });
  return (
    <ConfirmButton
      look="plain"
      label="I have it back, without a code"
      title="Do you have the laptop back?"
      message="Confirm only once you have it in your hands: the buyer then gets all of their money back."
      confirm="Yes, I have it back"
      busy={confirm.isPending}
      onConfirm={(done) => confirm.mutate({ body: { id } }, { onSettled: done })}
    >
      I have it back, without a code
    </ConfirmButton>
  );
}
