import { useState } from "react";
import {
  correctDifference,
  correctionAccounts,
  correctionForm,
  type LedgerDifference,
} from "#contract/ledger.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { Dialog, DialogSubmit } from "#web/ui/Dialog.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { accountNames, formatBalance } from "./account-names.ts";

type CorrectDifferenceProps = { difference: LedgerDifference };

export function CorrectDifference({ difference }: CorrectDifferenceProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        look="plain"
        size="small"
        aria-label={`Correct ${difference.reference}`}
        onClick={() => setAsking(true)}
      >
        Correct
      </Button>
      {asking && <CorrectionDialog difference={difference} onClose={() => setAsking(false)} />}
    </>
  );
}

const options = correctionAccounts.map((value) => ({ value, label: accountNames[value].name }));

function CorrectionDialog({
  difference: { reference, atProvider, inLedger },
  onClose,
}: CorrectDifferenceProps & { onClose: () => void }) {
  const amount = atProvider - inLedger;
  const form = useZodForm(correctionForm, { account: "platform_loss", reason: "" });
  const correct = useCall(correctDifference, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      toast.success("The ledger is corrected.");
      onClose();
    },
  });
  return (
    <Dialog title={`Correct the ledger by ${formatBalance(amount)}?`} onClose={onClose}>
      <form
        onSubmit={form.handleSubmit((values) =>
          correct.mutate({ body: { ...values, reference, amount } }),
        )}
        noValidate
        className="flex flex-col gap-2"
      >
        <p className="mb-2">
          First find out why <span className="break-all">{reference}</span> differs. A correction
          can't be taken back.
        </p>
        <FormField
          form={form}
          name="account"
          label={amount < 0 ? "Where the money went" : "Where the money came from"}
          as="select"
          options={options}
        />
        <FormField
          form={form}
          name="reason"
          label="Reason"
          as="textarea"
          hint="It is kept in the audit log."
        />
        <FormMessage message={form.formState.errors.root?.message} />
        <DialogSubmit busy={correct.isPending} />
      </form>
    </Dialog>
  );
}
