import {
  after,
  available,
  type Context,
  held,
  type InitialState,
  paid,
  perform,
} from "./prepare-states.ts";
import type { Scenario } from "./scenario.ts";

async function offered(context: Context): Promise<Scenario> {
  const scenario = await available(context);
  return { ...scenario, offer: (await perform(context, scenario, "makeOffer")).id };
}

async function proposed(context: Context): Promise<Scenario> {
  const scenario = await held(context);
  return { ...scenario, meeting: (await perform(context, scenario, "proposeMeeting")).id };
}

export const offerStates: Record<string, InitialState> = {
  "an open offer": {
    prepare: offered,
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
    prepare: proposed,
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
