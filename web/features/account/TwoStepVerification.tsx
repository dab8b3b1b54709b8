import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readSecondFactors, type SecondFactors } from "#contract/account.ts";
import { queryOf } from "#web/api/api.ts";
import { makeBackupCodes, turnOffTwoStep } from "#web/auth/second-factor.ts";
import { PasswordAndCodeForm } from "#web/domain/members/PasswordAndCodeForm.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { BackupCodes } from "./BackupCodes.tsx";
import { ProfileSection } from "./ProfileSection.tsx";
import { SetUpAuthenticatorApp } from "./SetUpAuthenticatorApp.tsx";
import { useSecondFactorMutation } from "./use-second-factor-mutation.ts";

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
          <SetUpAuthenticatorApp hasPassword={factors.data?.hasPassword === true} onDone={close} />
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
