import { openBookingStates } from "#contract/life-cycle.ts";
import {
  type BookingEmail,
  type BookingFacts,
  type BookingMessage,
  handoverPage,
} from "./booking-email.ts";

type Party = "buyer" | "seller";

const others = { buyer: "seller", seller: "buyer" };

const open = { kind: "meeting", onlyWhile: openBookingStates } as const;

function toBoth(write: (party: Party, facts: BookingFacts) => BookingMessage) {
  const to = (party: Party) => (facts: BookingFacts) => write(party, facts);
  return { buyer: to("buyer"), seller: to("seller") };
}

const atTheMeeting: Record<Party, string> = {
  buyer:
    "Look the laptop over when you meet. Once you have it in your hands, show the seller your handover code.",
  seller:
    "Bring the laptop and its charger. Keep it until it's paid for, then enter the handover code that the buyer shows you.",
};

export const meetingEmails = {
  proposed: {
    ...open,
    ...toBoth((party, facts) => ({
      name: "meeting-proposed",
      text: `The ${others[party]} proposes to meet on ${facts.meetingTime}. Place: ${facts.meetingPlace}`,
      action: handoverPage("Accept or propose another", facts),
      nextStep: "Nothing is agreed until you accept it.",
    })),
  },
  agreed: {
    ...open,
    ...toBoth((party, facts) => ({
      name: "meeting-agreed",
      text: `You meet the ${others[party]} on ${facts.meetingTime}. Place: ${facts.meetingPlace} (The attached file adds it to your calendar.)`,
      action: handoverPage("See the handover", facts),
      nextStep: atTheMeeting[party],
    })),
  },
  reminder: {
    ...open,
    ...toBoth((party, facts) => ({
      name: "meeting-reminder",
      text: `You meet the ${others[party]} on ${facts.meetingTime}. Place: ${facts.meetingPlace}`,
      action: handoverPage("See the handover", facts),
      nextStep: atTheMeeting[party],
    })),
  },
  withdrawn: {
    ...open,
    ...toBoth((party, facts) => ({
      name: "meeting-withdrawn",
      text: `The ${others[party]} has taken back or declined the proposal to meet on ${facts.meetingTime}.`,
      action: handoverPage("Propose a place and time", facts),
      nextStep: "The deal itself goes on.",
    })),
  },
  cancelled: {
    ...open,
    ...toBoth((party, facts) => ({
      name: "meeting-canceled",
      text: `The ${others[party]} can't meet on ${facts.meetingTime}. The attached file takes it out of your calendar.`,
      action: handoverPage("Propose a place and time", facts),
      nextStep: "The deal itself goes on.",
    })),
  },
} satisfies Record<string, BookingEmail>;
