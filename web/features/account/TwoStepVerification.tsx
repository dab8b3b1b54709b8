import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { passwordForm, readSecondFactors, type SecondFactors } from "#contract/account.ts";
import { queryOf, useMutationOnce } from "#web/api/api.ts";
import {
  type AppSetup,
  appCode,
  makeBackupCodes,
  startAppSetup,
  turnOffTwoStep,
  useSecondFactorMutation,
  verifyAppCode,
} from "#web/auth/second-factor.ts";
import { PasswordAndCodeForm } from "#web/domain/members/ConfirmIdentity.tsx";
import { CurrentPasswordField } from "#web/domain/members/PasswordFields.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { downloadFile } from "#web/ui/object-url.ts";
import { QrCode } from "#web/ui/QrCode.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { ProfileSection } from "./ProfileSection.tsx";

export function TwoStepVerification() {
  const factors = useQuery(queryOf(readSecondFactors, {}));
  const [settingUp, setSettingUp] = useState(false);
  const close = () => setSettingUp(false);
  return (
    <ProfileSection
      title="Two-step verification"
      about="Whenever you log in without a passkey, we also ask for a code from an app on your phone."
    >
      <QueryState query={factors} skeleton={<div className="skeleton h-12" />}>
        {(read) => (
          <>
            <FormMessage message={requirement(read)} />
            {read.authenticatorApp ? (
              <TurnedOn {...read} />
            ) : (
              <>
                <p className="text-sm">
                  Two-step verification is <strong>off</strong>.
                </p>
                <Button look="plain" className="self-start" onClick={() => setSettingUp(true)}>
                  Set up two-step verification
                </Button>
              </>
            )}
          </>
        )}
      </QueryState>
      {settingUp && (
        <Dialog title="Set up two-step verification" onClose={close}>
          <SetUpAuthenticatorApp hasPassword={factors.data?.hasPassword === true} onClose={close} />
        </Dialog>
      )}
    </ProfileSection>
  );
}

function requirement({ required, shown, authenticatorApp, passkeys }: SecondFactors) {
  if (!required || shown) return undefined;
  if (authenticatorApp || passkeys.length > 0)
    return "To use the admin pages, sign out and log in with your passkey or code.";
  return "To use the admin pages, set up two-step verification or a passkey.";
}

function TurnedOn({ hasPassword }: SecondFactors) {
  const [open, setOpen] = useState<"off" | "codes">();
  const close = () => setOpen(undefined);
  return (
    <>
      <p className="text-sm">
        Two-step verification is <strong>on</strong>.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button look="plain" onClick={() => setOpen("codes")}>
          New backup codes
        </Button>
        <Button look="danger" onClick={() => setOpen("off")}>
          Turn off
        </Button>
      </div>
      {open === "codes" && <NewBackupCodes hasPassword={hasPassword} onClose={close} />}
      {open === "off" && <TurnOff hasPassword={hasPassword} onClose={close} />}
    </>
  );
}

type DialogProps = { hasPassword: boolean; onClose: () => void };

function TurnOff({ hasPassword, onClose }: DialogProps) {
  const change = useSecondFactorMutation(turnOffTwoStep, () => {
    onClose();
    toast.success("Two-step verification is off.");
  });
  return (
    <Dialog title="Turn off two-step verification?" onClose={onClose}>
      <p>You'll be able to log in without a code.</p>
      <PasswordAndCodeForm hasPassword={hasPassword} submit="Turn off" send={change} />
    </Dialog>
  );
}

function NewBackupCodes({ hasPassword, onClose }: DialogProps) {
  const change = useSecondFactorMutation(makeBackupCodes);
  return (
    <Dialog title="New backup codes" onClose={onClose}>
      {change.data ? (
        <BackupCodes codes={change.data} onDone={onClose} />
      ) : (
        <>
          <p>Your current backup codes will stop working.</p>
          <PasswordAndCodeForm
            hasPassword={hasPassword}
            submit="Create new backup codes"
            send={change}
          />
        </>
      )}
    </Dialog>
  );
}

function SetUpAuthenticatorApp({ hasPassword, onClose }: DialogProps) {
  const [setup, setSetup] = useState<AppSetup>();
  const [confirmed, setConfirmed] = useState(false);
  if (!setup) return <AskPassword hasPassword={hasPassword} onSetup={setSetup} />;
  if (!confirmed) return <ConfirmApp setup={setup} onConfirmed={() => setConfirmed(true)} />;
  return (
    <>
      <p role="status" className="font-medium">
        Two-step verification is on.
      </p>
      <BackupCodes codes={setup.backupCodes} onDone={onClose} />
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

function BackupCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const list = codes.join("\n");
  const copy = async () => {
    await navigator.clipboard.writeText(list);
    toast.success("Backup codes copied.");
  };
  return (
    <>
      <p>
        Keep these backup codes somewhere safe. Use one to log in when you don't have your phone.
        Each code works once, and we won't show them again.
      </p>
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-field bg-base-200 p-4 text-center font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button look="plain" onClick={() => void copy()}>
          <Icon name="copy" className="size-4" />
          Copy
        </Button>
        <Button
          look="plain"
          onClick={() => downloadFile("backup-codes.txt", `${list}\n`, "text/plain")}
        >
          <Icon name="download" className="size-4" />
          Download
        </Button>
        <Button className="ml-auto" onClick={onDone}>
          I've saved them
        </Button>
      </div>
    </>
  );
}
