import { type FormEvent, useId } from "react";
import { Form } from "react-router";
import type { Promo as PromoWords } from "#contract/invitation-rules.ts";
import { inviteFriend } from "#contract/invitations.ts";
import { useCall } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { toast } from "#web/ui/toast.ts";

/** The Invite a friend section (specification 1.4). */
export function Promo({ words: { sentence, offers } }: { words: PromoWords }) {
  const title = useId();
  return (
    <section aria-labelledby={title} className="promo">
      <div className="flex flex-col gap-4">
        <h2 id={title} className="text-title">
          {`Invite a friend, and ${offers.length > 1 ? "you both" : "they"} save`}
        </h2>
        <p className="max-w-xl text-neutral-content/80 text-lg">{sentence}</p>
        <InviteForm />
      </div>
      <ul className="grid gap-3 sm:grid-cols-3 lg:grid-cols-1">
        {offers.map((offer) => (
          <Offer key={offer.text} {...offer} />
        ))}
      </ul>
    </section>
  );
}

/** Sends an invitation. Visitors log in or sign up first; the URL keeps the email address. */
function InviteForm() {
  const email = useId();
  const isMember = Boolean(useSession());
  const invite = useCall(inviteFriend, {
    onSuccess: (_, { body }) => toast.success(`An invitation is on its way to ${body.email}.`),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (!isMember) return;
    event.preventDefault();
    const form = event.currentTarget;
    const body = { email: String(new FormData(form).get("email")) };
    invite.mutate({ body }, { onSuccess: () => form.reset() });
  };
  return (
    <Form
      method="get"
      action={paths.invitations()}
      onSubmit={submit}
      className="mt-2 flex flex-wrap items-end gap-3"
    >
      <div className="flex min-w-56 flex-1 flex-col gap-1.5 sm:max-w-sm">
        <label htmlFor={email} className="font-medium text-sm">
          Your friend's email address
        </label>
        <input
          id={email}
          name="email"
          type="email"
          required
          autoComplete="off"
          placeholder="friend@example.com"
          className="input w-full border-transparent bg-base-100 text-base text-base-content"
        />
      </div>
      <Button type="submit" look="accent" busy={invite.isPending} className="max-sm:w-full">
        Join Us
      </Button>
    </Form>
  );
}

function Offer({ amount, text }: { amount: string; text: string }) {
  return (
    <li className="flex items-baseline gap-3 rounded-2xl bg-neutral-content/8 px-5 py-4 sm:max-lg:flex-col sm:max-lg:gap-0">
      <span className="font-bold font-display text-3xl text-accent">{amount}</span>
      <span className="text-neutral-content/80 text-sm">{text}</span>
    </li>
  );
}
