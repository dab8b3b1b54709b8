import { maxUnpaidHolds } from "#contract/bookings.ts";
import type { PublicConfig } from "#contract/config.ts";
import { afterPayment, beforePayment, complaintTerms } from "#contract/deal-texts.ts";
import { feeText } from "#contract/fee.ts";
import type { Information } from "./information-pages.ts";

export type DealTerms = Pick<PublicConfig, "fee" | "handoverDays" | "complaintHours" | "selling">;

export const dealPaths = ["/buying", "/selling", "/fees", "/safety", "/buyer-protection"] as const;

/** In a file of its own, because the other information pages don't need these texts. */
export function dealPages(terms: DealTerms): Record<(typeof dealPaths)[number], Information> {
  const { fee, handoverDays, complaintHours, selling } = terms;
  const whoSells =
    selling.sellers === "verified"
      ? "Only verified sellers can list laptops here: Add Product says how to become one. "
      : "";
  const approval = selling.approval ? "We approve each listing before it is on sale. " : "";
  return {
    "/buying": {
      description: "How to find, hold, look over and pay for a used laptop.",
      sections: {
        "Find one and hold it": `Choose a brand on the Home page, read the description, and press Book Now. ${beforePayment.holdIsFree} The booking form says for how long we hold it. You can hold up to ${maxUnpaidHolds} unpaid laptops at once.`,
        "Agree where and when to meet":
          "As soon as you hold a laptop, you and the seller can agree on a place and time, under Place and time in My Orders. Ask anything you like in Messages. When you meet, switch the laptop on and check that it is what the description says.",
        "Pay by card": `${beforePayment.payWhenSure} That can be when you have looked the laptop over, or before you meet. ${beforePayment.moneyIsKept} You pay the price you booked at, with no fee on top.`,
        "Take it home": `Once you have the laptop, show the seller the handover code from My Orders, or press I have it there. For ${complaintHours} hours after that you can still tell us that something is wrong.`,
      },
    },
    "/selling": {
      description: "How to list a used laptop, and what happens once someone books it.",
      sections: {
        "List your laptop": `Open Add Product; if you have only bought so far, your account can sell as well. ${whoSells}You need a photo, a price, the condition and an honest description. ${approval}Listing is free.`,
        "When someone books it":
          "We email you, and My Products shows who booked it, how to reach them and where they would like to meet. The laptop is held for them until they pay, cancel, or run out of time. You can end an unpaid hold yourself.",
        "When it is paid for": `${afterPayment.handItOver} Until then, keep the laptop: what someone shows you on their phone is no payment. My Products says when it is paid. We keep the buyer's money until the handover and for ${complaintHours} hours after it; then it is yours.`,
        "Your phone number":
          "Only the buyer who holds or bought your laptop sees your phone number and email.",
      },
    },
    "/fees": {
      description: "What buying and selling here costs.",
      sections: {
        "For buyers": `Nothing. ${beforePayment.holdIsFree} When you buy, you pay the price you booked at, with no fee on top.`,
        "For sellers": `Listing a laptop, editing it and showing it on the Home page are free. ${feeText(fee) === "" ? "We take no share of the price." : `When it sells, we keep ${feeText(fee)}.`}`,
        Refunds:
          "If a purchase is canceled before the handover, you get back the whole amount that you paid. After it, you get back what you and the seller agree on, or what an admin decides. We keep nothing of it.",
      },
    },
    "/safety": {
      description: "How to meet, check a laptop and pay without being cheated.",
      sections: {
        "Keep the deal here":
          "Hold, pay and write through {shop}. Someone who asks for cash in advance, a bank transfer, gift cards or another app is trying to get around what protects you. Phone numbers, email addresses and links in messages stay hidden until the laptop is paid for.",
        "Meet in a public place":
          "Meet in daylight where other people are: a café, a library, a bank, or a police station that welcomes such meetings. Tell someone where you are going, or take them along.",
        "Check the laptop":
          "Switch it on and let it start. Try the keyboard, the screen, the ports and the charger. Make sure that the previous owner has signed out of it, and that no company or school still manages it. After you have paid, My Orders shows the last characters of its serial number, if the seller gave it: check that they match.",
        "Give the code last":
          "Buyers: your handover code says that you have the laptop. Show it only when it is in your hands, and never send it to anyone. Sellers: keep the laptop until My Products says that it is paid for, and enter the code before you part.",
        "If something is wrong":
          "If a laptop you bought is not what was described, tell us in My Orders. If a listing or a message is wrong, press Report there. Our admins read every report. You can also block a member, who then can no longer write to you.",
      },
    },
    "/buyer-protection": {
      description: "What happens to your money, and when you get it back.",
      sections: {
        "Before you pay": beforePayment.holdIsFree,
        "From payment to handover": `${beforePayment.payWhenSure} ${beforePayment.moneyIsKept} If nobody tells us within ${handoverDays} days that it was handed over, we cancel the purchase and give you back everything you paid, to the card you paid with. One of our admins can do this sooner, for example if the seller no longer has the laptop.`,
        "After the handover": `Look the laptop over before you show the code. We keep the money for ${complaintHours} hours more. If it turns out in that time not to be what was described, tell us in My Orders: the money stays with us. The seller has ${complaintTerms.answerHours} hours to refund you, offer a part of the price or disagree. If you can't agree, one of our admins decides within ${complaintTerms.decisionDays} days. If nobody has decided ${complaintTerms.undecidedDays} days after you told us, you get all of your money back. All of it comes back once the seller has the laptop: give it to them, and show them your return code.`,
        "What is not covered":
          "Payments outside {shop}, and faults that the description names. We do not inspect laptops.",
      },
    },
  };
}
