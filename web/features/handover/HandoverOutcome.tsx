import { beforePayment } from "#contract/deal-texts.ts";
import type { Handover } from "#contract/handover.ts";
import { isPaid } from "#contract/life-cycle.ts";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";

/** Shown instead of the code or the form if nothing can be handed over now. */
export function HandoverOutcome({ deal }: { deal: Handover }) {
  const { _id, role, state } = deal;
  const { title, text } = outcomes[role][stageOf(deal)];
  const toPay = role === "buyer" && state === "held";
  return (
    <div role="status">
      <Notice title={title}>
        <p>{text}</p>
        {toPay && <ButtonLink to={paths.payment(_id)}>Pay now</ButtonLink>}
        <ButtonLink
          to={role === "buyer" ? paths.myOrders() : paths.myProducts()}
          look={toPay ? "plain" : "primary"}
        >
          {role === "buyer" ? "My Orders" : "My Products"}
        </ButtonLink>
      </Notice>
    </div>
  );
}

type Stage = "unpaid" | "handedOver" | "refunded" | "ended";

function stageOf({ state, refund }: Handover): Stage {
  if (refund === "started") return "refunded";
  if (state === "held") return "unpaid";
  return isPaid(state) ? "handedOver" : "ended";
}

const outcomes: Record<Handover["role"], Record<Stage, { title: string; text: string }>> = {
  buyer: {
    unpaid: {
      title: "Not paid yet",
      text: `You get a code once the laptop is paid for. ${beforePayment.payWhenSure}`,
    },
    handedOver: {
      title: "Handed over",
      text: "The laptop is yours. Enjoy it! Your receipt is in My Orders.",
    },
    refunded: {
      title: "You get your money back",
      text: "My Orders shows when it is on its way to your card.",
    },
    ended: { title: "This deal has ended", text: "There's nothing left to hand over." },
  },
  seller: {
    unpaid: {
      title: "Not paid yet",
      text: "Let the buyer look the laptop over, but keep it until they've paid. It shows in My Products when they have.",
    },
    handedOver: {
      title: "Handed over",
      text: "It's now under Sold and handed over in My Products. Payouts shows when the money is on its way to you.",
    },
    refunded: {
      title: "The buyer is refunded",
      text: "There's nothing left for you to do.",
    },
    ended: { title: "This deal has ended", text: "Don't hand the laptop over." },
  },
};
