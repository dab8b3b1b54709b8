import { useQuery } from "@tanstack/react-query";
import { readConfig } from "#contract/config.ts";
import { safeDestination } from "#contract/safe-destination.ts";
import { queryOf } from "#web/api/api.ts";
import { useGoogleSignIn } from "#web/auth/google-sign-in.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";

type GoogleButtonProps = {
  from: string | undefined;
  /** Shown above the button. */
  note?: string;
};

/** Google sign-in, if this installation offers it. */
export function GoogleButton({ from, note }: GoogleButtonProps) {
  const { data: config } = useQuery(queryOf(readConfig, {}));
  const google = useGoogleSignIn(from);
  if (!config?.google) return null;
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-4 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {note && <p className="text-muted text-sm">{note}</p>}
      <Button look="plain" size="large" busy={google.isStarting} onClick={google.start}>
        <GoogleMark />
        Continue with Google
      </Button>
      <FormMessage message={google.error?.message} />
      {google.isBlocked && (
        <Button
          look="plain"
          busy={google.isStarting}
          onClick={() => google.startHere(safeDestination(from))}
        >
          Open Google in this tab
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
