import { arePasskeysSupported } from "#web/auth/passkey-support.ts";
import { logInWithPasskey } from "#web/auth/passkeys.ts";
import { useSignInMutation } from "#web/auth/sign-in.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";

/** The server renders the button too, because nearly all browsers support passkeys. */
export function PasskeyButton() {
  const logIn = useSignInMutation(logInWithPasskey, "Login Successful.");
  if (useHydrated() && !arePasskeysSupported()) return null;
  return (
    <div className="needs-passkeys needs-scripts flex flex-col gap-4">
      <Button
        look="plain"
        size="large"
        busy={logIn.isPending}
        onClick={() => logIn.mutate(undefined)}
      >
        <Icon name="key-round" className="size-5" />
        Use a passkey
      </Button>
      <FormMessage message={logIn.error?.message} />
    </div>
  );
}
