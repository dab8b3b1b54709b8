import { useQuery } from "@tanstack/react-query";
import { readConfig } from "#contract/config.ts";
import { safeDestination } from "#contract/page-paths.ts";
import { queryOf } from "#web/api/api.ts";
import { useProviderSignIn } from "#web/auth/provider-sign-in.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/Form.tsx";

type ProviderButtonsProps = {
  from: string | undefined;
  /** Returns a text to show above the buttons, given the providers' names. */
  note?: (providers: string) => string;
};

export function ProviderButtons({ from, note }: ProviderButtonsProps) {
  const { data: config } = useQuery(queryOf(readConfig, {}));
  const signIn = useProviderSignIn(from);
  const { blocked } = signIn;
  if (!config || config.signInProviders.length === 0) return null;
  const names = config.signInProviders.map(({ label }) => label).join(" or ");
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-4 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {note && <p className="text-muted text-sm">{note(names)}</p>}
      {config.signInProviders.map((provider) => (
        <Button
          key={provider.id}
          look="plain"
          size="large"
          busy={signIn.starting === provider.id}
          onClick={() => signIn.start(provider)}
        >
          {provider.id === "google" && <GoogleMark />}
          Continue with {provider.label}
        </Button>
      ))}
      <FormMessage message={signIn.error?.message} />
      {blocked && (
        <Button
          look="plain"
          busy={signIn.starting === blocked.id}
          onClick={() => signIn.startHere({ provider: blocked, to: safeDestination(from) })}
        >
          Open {blocked.label} in this tab
        </Button>
      )}
    </div>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-5" fill="none" strokeWidth="4.2" aria-hidden="true">
      <path d="M18.6 6.2A9 9 0 0 0 4.4 7.4" stroke="#ea4335" />
      <path d="M4.4 7.4a9 9 0 0 0 0 9.2" stroke="#fbbc05" />
      <path d="M4.4 16.6a9 9 0 0 0 13.5 2.1" stroke="#34a853" />
      <path d="M17.9 18.7A9 9 0 0 0 20.9 12H12" stroke="#4285f4" />
    </svg>
  );
}
