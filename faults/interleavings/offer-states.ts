import { after, available, held, type InitialState, paid } from "./prepare-states.ts";

export const offerStates: Record<string, InitialState> = {
  "an open offer": {
    prepare: after(available, "makeOffer"),
    verbs: [
      "acceptOffer",
      "declineOffer",
      "counterOffer",
      "withdrawOffer",
      "book",
      "bookByOther",
      "deleteProduct",
      "deleteSeller",
      "deleteBuyer",
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
    verbs: ["acceptMeeting", "proposeMeetingBySeller", "cancelMeeting", "cancel", "askForIntent"],
    interrupted: ["acceptMeeting"],
  },
  "a deal without reviews": {
    prepare: after(paid, "handOver"),
    verbs: ["reviewByBuyer", "reviewBySeller", "complain", "refundElsewhere", "deleteBuyer"],
    interrupted: ["reviewByBuyer"],
  },
};
