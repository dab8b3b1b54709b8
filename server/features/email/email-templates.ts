import type { BookingState } from "#contract/life-cycle.ts";

/** What the mails of a deal tell of; prices and times in words. None of it is text of a member's. */
export type Facts = {
  booking: string;
  /** Of ours, such as Dell. */
  brand: string;
  category: string;
  price: string;
  heldUntil: string;
  /** Empty where the news is not of money. */
  transactionId: string;
};

/** One mail: what happened, where it leads, and what is to be done. */
type Message = {
  subject: string;
  /** Goes on after "Hello Zoë,". */
  text: string;
  leadsTo: { label: string; path: string };
  next: string;
};

export type Letters = Partial<Record<"buyer" | "seller", (facts: Facts) => Message>> & {
  /** The states in which what they say is so; sent late, they would ask for what is not to be done any more. */
  onlyWhile?: readonly BookingState[];
  /** Of an unpaid hold, which costs nothing and so can come any number of times. */
  ofHold?: true;
};

const sale = ["paid", "completed"] as const;

const myOrders = { label: "View My Orders", path: "/dashboard" };
const myProducts = { label: "View My Products", path: "/dashboard/myProducts" };

const nothingToDo = "You don't need to do anything.";
const pickItUp =
  "Next, meet the seller and pick it up. My Orders shows how to reach them and where you agreed to meet. Once you have the laptop, confirm it there.";

const receipt = (booking: string) => ({
  label: "View your receipt",
  path: `/dashboard/payment/${booking}`,
});

/**
 * What buyer and seller are told of a deal. Mails stay for ever, so none says how to reach anybody, or who
 * they are: the pages do, as long as the deal is live.
 */
export const letters = {
  held: {
    onlyWhile: ["held"],
    ofHold: true,
    buyer: ({ brand, price, heldUntil, booking }) => ({
      subject: `Your ${brand} laptop is on hold for you`,
      text: `we're holding a ${brand} laptop for you until ${heldUntil}. Pay ${price} by card before then, and it's yours.`,
      leadsTo: { label: "Pay now", path: `/dashboard/payment/${booking}` },
      next: "Changed your mind? Cancel the hold under My Orders.",
    }),
    seller: ({ brand, price, heldUntil }) => ({
      subject: `Your ${brand} laptop is on hold`,
      text: `a buyer has put your ${brand} laptop on hold for ${price}, until ${heldUntil}. My Products shows who, and where they would like to meet.`,
      leadsTo: myProducts,
      next: "It isn't paid for yet, so keep it for now. We'll email you when it is paid for, or for sale again.",
    }),
  },
  expired: {
    ofHold: true,
    buyer: ({ brand, category }) => ({
      subject: `Your hold on a ${brand} laptop has expired`,
      text: `your hold on a ${brand} laptop expired before you paid. You were not charged. It is for sale again; if you still want it, book it before somebody else does.`,
      leadsTo: { label: "Find it again", path: `/categoryProducts/${category}` },
      next: "If you don't want it any more, you don't need to do anything.",
    }),
    seller: forSaleAgain("expired"),
  },
  cancelled: {
    ofHold: true,
    buyer: ({ brand }) => ({
      subject: `Your hold on a ${brand} laptop was canceled`,
      text: `your hold on a ${brand} laptop was canceled before you paid. You were not charged.`,
      leadsTo: myOrders,
      next: nothingToDo,
    }),
    seller: forSaleAgain("was canceled"),
  },
  paid: {
    onlyWhile: sale,
    buyer: ({ brand, price, transactionId, booking }) => ({
      subject: `Your receipt for a ${brand} laptop`,
      text: `we received your payment of ${price} for a ${brand} laptop. It's yours. The transaction id is ${transactionId}.`,
      leadsTo: receipt(booking),
      next: pickItUp,
    }),
    seller: sold,
  },
  reclaimed: {
    onlyWhile: sale,
    buyer: ({ brand, price, transactionId, booking }) => ({
      subject: `The ${brand} laptop is yours after all`,
      text: `your payment of ${price} for a ${brand} laptop arrived after your hold had ended. The laptop was still available, so it's yours. The transaction id is ${transactionId}.`,
      leadsTo: receipt(booking),
      next: pickItUp,
    }),
    seller: sold,
  },
  late: {
    buyer: ({ brand, price }) => ({
      subject: `Your refund of ${price} is on its way`,
      text: `your payment of ${price} for a ${brand} laptop arrived too late: the laptop was no longer available. We refunded your card. Banks take a few days to show it.`,
      leadsTo: myOrders,
      next: nothingToDo,
    }),
  },
  undone: {
    seller: ({ brand, price }) => ({
      subject: `The sale of your ${brand} laptop was canceled`,
      text: `the sale of your ${brand} laptop was canceled, and the buyer gets ${price} back. The laptop is for sale again.`,
      leadsTo: myProducts,
      next: "Please don't hand it over to them.",
    }),
  },
  refunded: {
    buyer: ({ brand, price }) => ({
      subject: `Your refund of ${price} is on its way`,
      text: `your purchase of a ${brand} laptop was canceled, and we refunded ${price} to your card. Banks take a few days to show it.`,
      leadsTo: myOrders,
      next: nothingToDo,
    }),
  },
} satisfies Record<string, Letters>;

function sold({ brand, price }: Facts): Message {
  return {
    subject: `You sold your ${brand} laptop`,
    text: `your ${brand} laptop is sold: the buyer paid ${price}. My Products shows who bought it, and how to reach them.`,
    leadsTo: myProducts,
    next: "Next, meet the buyer and hand it over. They confirm under My Orders that they have it.",
  };
}

function forSaleAgain(ended: string) {
  return ({ brand }: Facts): Message => ({
    subject: `Your ${brand} laptop is for sale again`,
    text: `the hold on your ${brand} laptop ${ended} before it was paid for. It is for sale again.`,
    leadsTo: myProducts,
    next: nothingToDo,
  });
}
