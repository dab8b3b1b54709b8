import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { confirmPassword, passwordForm } from "#contract/account.ts";
import type { Call } from "#contract/call.ts";
import { CallError } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { type CallOptions, queryOf, useCall, useMutationOnce } from "#web/api/api.ts";
import { useFormCall } from "#web/api/form-call.tsx";
import { browserQueries } from "#web/api/query-client.ts";
import { useProviderSignIn } from "#web/auth/provider-sign-in.ts";
import { type PasswordAndCode, verifyAppCode, verifyBackupCode } from "#web/auth/second-factor.ts";
import { type Session, sessionQuery, useSession } from "#web/auth/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { Form, FormField, FormMessage, FormSubmit } from "#web/ui/Form.tsx";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { CurrentPasswordField } from "./PasswordFields.tsx";

const waysToConfirm = {
  CONFIRM_PASSWORD: ConfirmByPassword,
  CONFIRM_PROVIDER: ConfirmByProvider,
};
type Way = keyof typeof waysToConfirm;

/** Whether a call was rejected because the member must re-authenticate first. */
export function needsConfirmation(error: Error | null): error is CallError & { code: Way } {
  return error instanceof CallError && error.code in waysToConfirm;
}

/**
 * Asks the member to re-authenticate, and then repeats the call. If the member enters a password,
 * `onPassword` gets it before the call.
 */
export function useConfirmIdentity(onPassword?: (password: string) => Promise<void>) {
  const [pending, setPending] = useState<{ way: Way; goOn: () => void }>();
  const close = () => setPending(undefined);
  const confirmed = async (password?: string) => {
    close();
    if (password !== undefined) await onPassword?.(password);
    pending?.goOn();
  };
  const ConfirmForm = pending && waysToConfirm[pending.way];
  return {
    /** Returns whether the error asks for re-authentication and the dialog was opened. */
    ask: (error: Error, goOn: () => void) => {
      if (!needsConfirmation(error)) return false;
      setPending({ way: error.code, goOn });
      return true;
    },
    dialog: ConfirmForm && (
      <Dialog title="Confirm it's you" onClose={close}>
        <ConfirmForm onConfirmed={confirmed} />
      </Dialog>
    ),
  };
}

/** If the sign-in is too old, `confirmation` is the dialog to re-authenticate. */
export function useConfirmedCall<C extends Call>(call: C, options: CallOptions<C> = {}) {
  const { onError = ({ message }) => toast.error(message), ...others } = options;
  const { ask, dialog: confirmation } = useConfirmIdentity();
  const sending = useCall(call, {
    ...others,
    onError: (error, request) =>
      ask(error, () => sending.mutate(request)) || onError(error, request),
  });
  return { ...sending, confirmation };
}

function ConfirmByPassword({ onConfirmed }: { onConfirmed: (password: string) => void }) {
  const form = useZodForm(passwordForm, { password: "" });
  const confirm = useFormCall(form, confirmPassword, {
    onSuccess: (_, { body }) => onConfirmed(body.password),
  });
  return (
    <Form form={form} onSubmit={(body) => confirm.mutate({ body })}>
      <CurrentPasswordField
        form={form}
        enterKeyHint="go"
        hint="You logged in a while ago. Enter your password to continue."
      />
      <FormSubmit form={form} busy={confirm.isPending}>
        Continue
      </FormSubmit>
    </Form>
  );
}

function ConfirmByProvider({ onConfirmed }: { onConfirmed: () => void }) {
  const { data: config } = useQuery(queryOf(readConfig, {}));
  const [uid] = useState(useSession()?.user.uid);
  const [needsCode, setNeedsCode] = useState(false);
  // The member may have signed in to a different account, for which the action must not run.
  const [isOther, setIsOther] = useState(false);
  const onEntered = ({ user }: Session) => {
    setIsOther(user.uid !== uid);
    if (user.uid === uid) onConfirmed();
  };
  const signIn = useProviderSignIn(undefined, {
    onEntered,
    onSecondStep: () => {
      // Keeps the session cached, because until the code is entered, a refetch would find none.
      browserQueries.setQueryData(sessionQuery.queryKey, (session) => session);
      setNeedsCode(true);
    },
  });
  if (needsCode && !isOther) return <ConfirmByCode onEntered={onEntered} />;
  const providers = config?.signInProviders ?? [];
  const names = providers.map(({ label }) => label).join(" or ");
  return (
    <div className="flex flex-col gap-4">
      <p>You logged in a while ago. Continue with the same {names} account.</p>
      <FormMessage
        message={
          isOther
            ? "That's a different account. Continue with the one you were logged in to."
            : signIn.error?.message
        }
      />
      {providers.map((provider) => (
        <Button
          key={provider.id}
          size="large"
          busy={signIn.starting === provider.id}
          onClick={() => signIn.start(provider)}
        >
          Continue with {provider.label}
        </Button>
      ))}
    </div>
  );
}

function ConfirmByCode({ onEntered }: { onEntered: (session: Session) => void }) {
  const verify = useMutationOnce({
    mutationFn: async ({ code }: { code: string }) => {
      await (/^\d{6}$/.test(code) ? verifyAppCode : verifyBackupCode)({ code });
      return await browserQueries.query({ ...sessionQuery, staleTime: 0 });
    },
    onSuccess: (session) => session && onEntered(session),
  });
  return <PasswordAndCodeForm hasPassword={false} submit="Continue" send={verify} />;
}

type PasswordAndCodeFormProps = {
  hasPassword: boolean;
  submit: string;
  send: { isPending: boolean; error: Error | null; mutate: (by: PasswordAndCode) => void };
};

const code = z
  .string()
  .transform((typed) => typed.replaceAll(/\s/g, ""))
  .pipe(z.string().min(1, "Enter a code from your app or a backup code."));
const proof = z.object({ password: z.string().min(1, "Password is required."), code });

export function PasswordAndCodeForm({ hasPassword, submit, send }: PasswordAndCodeFormProps) {
  const form = useZodForm(hasPassword ? proof : proof.extend({ password: z.literal("") }), {
    password: "",
    code: "",
  });
  return (
    <Form
      form={form}
      onSubmit={({ password, code: typed }) =>
        send.mutate({ ...(hasPassword && { password }), code: typed })
      }
    >
      {hasPassword && <CurrentPasswordField form={form} />}
      <FormField
        form={form}
        name="code"
        label="Code"
        hint="From your authenticator app, or one of your backup codes."
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Button type="submit" busy={send.isPending}>
        {submit}
      </Button>
      <FormMessage message={send.error?.message} />
    </Form>
  );
}
