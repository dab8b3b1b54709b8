import { useNavigate } from "react-router";
import { confirmHandoverByCode, handoverCodeForm } from "#contract/handover.ts";
import { useCall } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";

/** For the seller of a paid laptop. `scanned`: the code in the link of the buyer's QR code, or empty. */
export function HandoverForm({ bookingId, scanned }: { bookingId: string; scanned: string }) {
  const navigate = useNavigate();
  const form = useZodForm(handoverCodeForm, { code: scanned });
  const confirm = useCall(confirmHandoverByCode, {
    onSuccess: () => {
      toast.success("Handed over. Payouts shows when the money is on its way.");
      void navigate(paths.myProducts(), { replace: true });
    },
    onError: (error) => showFormError(form, error),
  });
  return (
    <form
      onSubmit={form.handleSubmit(({ code }) => confirm.mutate({ body: { id: bookingId, code } }))}
      method="post"
      noValidate
      className="flex flex-col gap-2"
    >
      <p className="mb-4">
        Let the buyer check the laptop. Once they are happy with it, ask for the six digits that
        they find under Handover code in My Orders.
      </p>
      <FormField
        form={form}
        name="code"
        label="Handover code"
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="done"
      />
      <FormMessage message={form.formState.errors.root?.message} />
      <Button type="submit" size="large" busy={confirm.isPending}>
        Confirm handover
      </Button>
    </form>
  );
}
