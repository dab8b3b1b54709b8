import type { BookingState } from "#contract/life-cycle.ts";

/** What the letters of a deal tell of; prices and times in words. */
export type Facts = {
  booking: string;
  product: string;
  category: string;
  price: string;
  heldUntil: string;
  /** Empty where the news is not of money. */
  transactionId: string;
};

/** One letter: what happened, where it leads, and what is to be done. */
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

const myOrders = { label: "Look at My Orders", path: "/dashboard" };
const myProducts = { label: "Look at My Products", path: "/dashboard/myProducts" };

const nothingToDo = "There is nothing you need to do.";
const pickItUp =
  "Next, meet the seller and pick it up; My Orders shows how to reach them. Once you have it, say so there.";

/**
 * What buyer and seller hear of a deal. Letters stay for ever, so none says how to reach anybody, or who
 * they are: the pages do, as long as the deal is live.
 */
export const letters = {
  held: {
    onlyWhile: ["held"],
    ofHold: true,
    buyer: ({ product, price, heldUntil, booking }) => ({
      subject: `${product} is held for you`,
      text: `${product} is held for you until ${heldUntil}. Pay ${price} by card before then, and it is yours.`,
      leadsTo: { label: "Pay for it", path: `/dashboard/payment/${booking}` },
      next: "If you no longer want it, let it go under My Orders.",
    }),
    seller: ({ product, price, heldUntil }) => ({
      subject: `Somebody holds your ${product}`,
      text: `somebody holds your ${product} for ${price}, until ${heldUntil}. My Products shows who, and where they would like to meet.`,
      leadsTo: myProducts,
      next: "It is not paid for yet, so keep it. You'll hear from us once it is paid for, or for sale again.",
    }),
  },
  expired: {
    ofHold: true,
    buyer: ({ product, category }) => ({
      subject: `Your hold of ${product} ran out`,
      text: `your hold of ${product} ran out before it was paid. You were not charged. It is for sale again; if you still want it, book it while it is free.`,
      leadsTo: { label: "Look for it again", path: `/categoryProducts/${category}` },
      next: "If you don't, there is nothing you need to do.",
    }),
    seller: forSaleAgain("ran out"),
  },
  cancelled: {
    ofHold: true,
    buyer: ({ product }) => ({
      subject: `Your hold of ${product} has ended`,
      text: `your hold of ${product} was cancelled before you paid. You were not charged.`,
      leadsTo: myOrders,
      next: nothingToDo,
    }),
    seller: forSaleAgain("was let go"),
  },
  paid: {
    onlyWhile: sale,
    buyer: ({ product, price, transactionId }) => ({
      subject: `Your receipt for ${product}`,
      text: `your payment of ${price} for ${product} has arrived: the laptop is yours. The transaction id is ${transactionId}.`,
      leadsTo: myOrders,
      next: pickItUp,
    }),
    seller: sold,
  },
  reclaimed: {
    onlyWhile: sale,
    buyer: ({ product, price, transactionId }) => ({
      subject: `${product} is yours`,
      text: `your payment of ${price} came after your hold of ${product} had ended. The laptop was still free, so it is yours. The transaction id is ${transactionId}.`,
      leadsTo: myOrders,
      next: pickItUp,
    }),
    seller: sold,
  },
  late: {
    buyer: ({ product, price }) => ({
      subject: `${price} on its way back to you`,
      text: `your payment of ${price} came when ${product} could no longer be yours. It was refunded to your card; banks take a few days to show it.`,
      leadsTo: myOrders,
      next: nothingToDo,
    }),
  },
  undone: {
    seller: ({ product, price }) => ({
      subject: `The sale of ${product} was undone`,
      text: `the sale of your ${product} was undone, and its buyer gets ${price} back. The laptop is for sale again.`,
      leadsTo: myProducts,
      next: "Please don't hand it over to them any more.",
    }),
  },
  refunded: {
    buyer: ({ product, price }) => ({
      subject: `${price} on its way back to you`,
      text: `your purchase of ${product} was undone, and your payment of ${price} refunded to your card; banks take a few days to show it.`,
      leadsTo: myOrders,
      next: nothingToDo,
    }),
  },
} satisfies Record<string, Letters>;

function sold({ product, price }: Facts): Message {
  return {
    subject: `You sold ${product}`,
    text: `your ${product} is sold: ${price} was paid for it. My Products shows who bought it, and how to reach them.`,
    leadsTo: myProducts,
    next: "Next, meet the buyer and hand it over. They say under My Orders that they have it.",
  };
}

function forSaleAgain(ended: string) {
  return ({ product }: Facts): Message => ({
    subject: `${product} is for sale again`,
    text: `the hold of your ${product} ${ended} before it was paid. It is for sale again.`,
    leadsTo: myProducts,
    next: nothingToDo,
  });
}
