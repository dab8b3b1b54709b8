import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { readSecondFactors, type SecondFactors } from "#contract/account.ts";
import { text } from "#contract/text.ts";
import { queryOf } from "#web/api/api.ts";
import { arePasskeysSupported } from "#web/auth/passkey-support.ts";
import { addPasskey, removePasskey } from "#web/auth/passkeys.ts";
import { useSecondFactorMutation } from "#web/auth/second-factor.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { ProfileSection } from "./ProfileSection.tsx";

export function Passkeys() {
  const factors = useQuery(queryOf(readSecondFactors, {}));
  const [adding, setAdding] = useState(false);
  return (
    <ProfileSection
      title="Passkeys"
      about="Log in with your fingerprint, your face or your device's PIN instead of a password and code."
    >
      <QueryState query={factors} skeleton={<div className="skeleton h-12" />}>
        {({ passkeys }) => (
          <>
            {passkeys.length === 0 && <p className="text-sm">You don't have any passkeys yet.</p>}
            <ul className="divide-y divide-line">
              {passkeys.map((passkey) => (
                <PasskeyEntry key={passkey._id} passkey={passkey} />
              ))}
            </ul>
          </>
        )}
      </QueryState>
      {arePasskeysSupported() ? (
        <Button look="plain" className="self-start" onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      ) : (
        <p className="text-muted text-sm">
          Passkeys aren't available at {location.hostname} in this browser. They need a domain name,
          such as <span className="whitespace-nowrap">localhost</span>, and a browser that supports
          them.
        </p>
      )}
      {adding && <AddPasskey onClose={() => setAdding(false)} />}
    </ProfileSection>
  );
}

type PasskeyEntryProps = { passkey: SecondFactors["passkeys"][number] };

function PasskeyEntry({ passkey: { _id, name, addedAt } }: PasskeyEntryProps) {
  const remove = useSecondFactorMutation(removePasskey, () =>
    toast.success(`${name} has been removed.`),
  );
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="break-words font-medium" dir="auto">
          {name}
        </p>
        <p className="text-muted text-sm">
          <time dateTime={addedAt}>{`Added ${formatDateTime(addedAt)}`}</time>
        </p>
      </div>
      <ConfirmButton
        label={`Remove ${name}`}
        title="Remove this passkey?"
        message={`You won't be able to log in with ${name} anymore. Remove it from your device too.`}
        busy={remove.isPending}
        onConfirm={(done) => remove.mutate({ id: _id }, { onSettled: done })}
      >
        Remove
      </ConfirmButton>
      <FormMessage message={remove.error?.message} />
    </li>
  );
}

const passkeyForm = z.object({ name: text("Give the passkey a name.", 80) });

function AddPasskey({ onClose }: { onClose: () => void }) {
  const form = useZodForm(passkeyForm, { name: "" });
  const add = useSecondFactorMutation(addPasskey, () => {
    onClose();
    toast.success("Passkey added.");
  });
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Form form={form} onSubmit={(values) => add.mutate(values)}>
        <FormField
          form={form}
          name="name"
          label="Name"
          hint="A name you'll recognize, such as My laptop."
          autoComplete="off"
          maxLength={80}
        />
        <Button type="submit" busy={add.isPending}>
          Continue
        </Button>
        <FormMessage message={add.error?.message} />
      </Form>
    </Dialog>
  );
}
