import { useState } from "react";
import { z } from "zod";
import { passwordForm } from "#contract/account.ts";
import { useMutationOnce } from "#web/api/api.ts";
import { type AppSetup, appCode, startAppSetup, verifyAppCode } from "#web/auth/second-factor.ts";
import { CurrentPasswordField } from "#web/domain/members/CurrentPasswordField.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { QrCode } from "#web/ui/QrCode.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { BackupCodes } from "./BackupCodes.tsx";
import { useSecondFactorMutation } from "./use-second-factor-mutation.ts";

type SetUpProps = { hasPassword: boolean; onDone: () => void };

/** Three steps: password, first code, backup codes. */
export function SetUpAuthenticatorApp({ hasPassword, onDone }: SetUpProps) {
  const [setup, setSetup] = useState<AppSetup>();
  const [confirmed, setConfirmed] = useState(false);
  if (!setup) return <AskPassword hasPassword={hasPassword} onSetup={setSetup} />;
  if (!confirmed) return <ConfirmApp setup={setup} onConfirmed={() => setConfirmed(true)} />;
  return (
    <>
      <p role="status" className="font-medium">
        Two-step verification is on.
      </p>
      <BackupCodes codes={setup.backupCodes} onDone={onDone} />
    </>
  );
}

type AskPasswordProps = { hasPassword: boolean; onSetup: (setup: AppSetup) => void };

function AskPassword({ hasPassword, onSetup }: AskPasswordProps) {
  const form = useZodForm(hasPassword ? passwordForm : z.object({ password: z.literal("") }), {
    password: "",
  });
  const start = useMutationOnce({ mutationFn: startAppSetup, onSuccess: onSetup });
  return (
    <Form form={form} onSubmit={(by) => start.mutate(hasPassword ? by : {})}>
      <p className="mb-2">
        You need an authenticator app on your phone, such as Google Authenticator, Microsoft
        Authenticator or 1Password.
      </p>
      {hasPassword && <CurrentPasswordField form={form} />}
      <Button type="submit" busy={start.isPending}>
        Continue
      </Button>
      <FormMessage message={start.error?.message} />
    </Form>
  );
}

const codeForm = z.object({ code: appCode });

type ConfirmAppProps = { setup: AppSetup; onConfirmed: () => void };

function ConfirmApp({ setup: { qrCode, secret }, onConfirmed }: ConfirmAppProps) {
  const form = useZodForm(codeForm, { code: "" });
  const confirm = useSecondFactorMutation(verifyAppCode, onConfirmed);
  return (
    <Form form={form} onSubmit={(values) => confirm.mutate(values)} className="flex flex-col gap-4">
      <p>Scan this QR code with your authenticator app, or enter the key by hand.</p>
      <QrCode rows={qrCode} label="QR code for your authenticator app" />
      <p className="text-center">
        <span className="block text-muted text-sm">Key</span>
        <code className="select-all font-mono text-sm">{secret.match(/.{1,4}/g)?.join(" ")}</code>
      </p>
      <FormField
        form={form}
        name="code"
        label="Code"
        hint="The six-digit code the app shows now."
        autoComplete="one-time-code"
        inputMode="numeric"
      />
      <Button type="submit" busy={confirm.isPending}>
        Turn on
      </Button>
      <FormMessage message={confirm.error?.message} />
    </Form>
  );
}
