import { after, available, held, type InitialState, paid } from "./prepare-states.ts";

export const offerStates: Record<string, InitialState> = {
  "an open offer": {
    prepare: after(available, "makeOffer"),
    verbs: [
      ...(["acceptOffer", "declineOffer", "counterOffer", "withdrawOffer", "book"] as const),
      ...(["bookByOther", "deleteProduct", "deleteSeller", "deleteBuyer"] as const),
    ],
    rivals: [
      ["acceptOffer", "bookByOther"],
      ["acceptOffer", "withdrawOffer"],
      ["acceptOffer", "declineOffer"],
      ["acceptOffer", "deleteProduct"],
    ],
    interrupted: ["acceptOffer"],
  },
  "a proposed place and time": {
    prepare: after(held, "proposeMeeting"),
    verbs: [
      ...(["acceptMeeting", "proposeMeetingBySeller", "cancelMeeting"] as const),
      ...(["cancel", "askForIntent"] as const),
    ],
    interrupted: ["acceptMeeting"],
  },
  "a deal without reviews": {
    prepare: after(paid, "handOver"),
    verbs: ["reviewByBuyer", "reviewBySeller", "complain", "refundElsewhere", "deleteBuyer"],
    interrupted: ["reviewByBuyer"],
  },
};
