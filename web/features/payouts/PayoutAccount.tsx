import { useQuery } from "@tanstack/react-query";
import {
  type PayoutAccount as Account,
  connectPayoutAccount,
  readPayoutAccount,
} from "#contract/payouts.ts";
import { formatPrice } from "#contract/price.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";

/** The polling interval while the card provider checks the account. */
const pendingMs = 10_000;

type PayoutAccountProps = {
  /** Whether the seller has just returned from the card provider's page. */
  isBack: boolean;
  /** Whether the link to the card provider's page was already used, or has expired. */
  isExpired: boolean;
};

export function PayoutAccount({ isBack, isExpired }: PayoutAccountProps) {
  const account = useQuery({
    ...queryOf(readPayoutAccount, {}),
    refetchInterval: ({ state: { data } }) => isBack && !data?.canPayOut && pendingMs,
  });
  const connect = useCall(connectPayoutAccount, { onSuccess: ({ url }) => location.assign(url) });
  return (
    <QueryState query={account} skeleton={<div className="skeleton h-28 rounded-box" />}>
      {(found) => {
        const { title, text, action } = wordsFor(found, isBack);
        return (
          <section
            aria-label="Your bank account"
            className="mb-8 flex flex-col items-start gap-3 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-6"
          >
            {isExpired && (
              <p role="alert" className="font-medium text-error">
                That link no longer works. Press the button to get a new one.
              </p>
            )}
            <h2 className="text-heading">{title}</h2>
            <p className="max-w-prose text-muted">{text}</p>
            <Button
              look={found.canPayOut ? "plain" : "primary"}
              busy={connect.isPending || connect.isSuccess}
              onClick={() => connect.mutate({})}
            >
              {action}
            </Button>
          </section>
        );
      }}
    </QueryState>
  );
}

function wordsFor({ connected, canReceive, canPayOut, waiting }: Account, isBack: boolean) {
  const money = waiting > 0 ? `${formatPrice(waiting)} is ready for you. ` : "";
  const soon = waiting > 0 ? `${formatPrice(waiting)} is about to be sent. ` : "";
  if (canReceive && canPayOut)
    return {
      title: "Your bank account is connected",
      text: `${soon}Stripe, our card provider, sends your money to your bank account a few days after each sale is complete.`,
      action: "Change my bank account",
    };
  if (connected)
    return {
      title: isBack ? "Stripe is checking your details" : "Stripe needs more details from you",
      text: isBack
        ? `${money}That usually takes a minute. If it takes longer, Stripe may need something else from you.`
        : `${money}Your bank account isn't ready yet. Continue where you left off.`,
      action: "Continue with Stripe",
    };
  return {
    title: "Tell us where to send your money",
    text: `${money}Connect your bank account with Stripe, our card provider. It takes a few minutes. You can sell without it, and we keep your money for you until then.`,
    action: "Connect my bank account",
  };
}
