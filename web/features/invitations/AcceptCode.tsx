import { type FormEvent, useId } from "react";
import { acceptInvitation } from "#contract/invitations.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { toast } from "#web/ui/toast.ts";

/** For members who opened the link on another device and signed up with another email. */
export function AcceptCode() {
  const field = useId();
  const accept = useCall(acceptInvitation, {
    onSuccess: () => toast.success("Your invitation is accepted."),
    onError: () => {},
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    accept.mutate({ body: { code } });
  };
  return (
    <form onSubmit={submit} className="mt-8 flex flex-wrap items-end gap-3">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={field} className="font-medium text-sm">
          Were you invited? Enter your friend's code
        </label>
        <input
          id={field}
          name="code"
          required
          maxLength={20}
          autoComplete="off"
          className="input border-line bg-base-100 font-mono"
        />
      </div>
      <Button type="submit" look="plain" busy={accept.isPending}>
        Use code
      </Button>
      <FormMessage message={accept.error?.message} />
    </form>
  );
}
