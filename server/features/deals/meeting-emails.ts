import type { EmailName } from "#contract/emails.ts";
import { openBookingStates } from "#contract/life-cycle.ts";
import { type BookingEmail, type BookingFacts, handoverPage, type Party } from "./booking-email.ts";

const others = { buyer: "seller", seller: "buyer" };

type Texts = { text: string; label: string; nextStep: string };

function meetingEmail(name: EmailName, write: (facts: BookingFacts) => Texts) {
  const toEither = (facts: BookingFacts) => {
    const { label, ...texts } = write(facts);
    return { name, ...texts, action: handoverPage(label, facts) };
  };
  const open = { kind: "meeting", onlyWhile: openBookingStates } as const;
  return { ...open, buyer: toEither, seller: toEither } satisfies BookingEmail;
}

const atTheMeeting: Record<Party, string> = {
  buyer:
    "Look the laptop over when you meet. Once you have it in your hands, show the seller your handover code.",
  seller:
    "Bring the laptop and its charger. Keep it until it's paid for, then enter the handover code that the buyer shows you.",
};

const youMeet = ({ party, meetingTime, meetingPlace }: BookingFacts) => ({
  text: `You meet the ${others[party]} on ${meetingTime}. Place: ${meetingPlace}`,
  label: "See the handover",
  nextStep: atTheMeeting[party],
});

const proposeAnother = {
  label: "Propose a place and time",
  nextStep: "The deal itself goes on.",
};

export const meetingEmails = {
  proposed: meetingEmail("meeting-proposed", ({ party, meetingTime, meetingPlace }) => ({
    text: `The ${others[party]} proposes to meet on ${meetingTime}. Place: ${meetingPlace}`,
    label: "Accept or propose another",
    nextStep: "Nothing is agreed until you accept it.",
  })),
  agreed: meetingEmail("meeting-agreed", (facts) => ({
    ...youMeet(facts),
    text: `${youMeet(facts).text} (The attached file adds it to your calendar.)`,
  })),
  reminder: meetingEmail("meeting-reminder", youMeet),
  withdrawn: meetingEmail("meeting-withdrawn", ({ party, meetingTime }) => ({
    ...proposeAnother,
    text: `The ${others[party]} has taken back or declined the proposal to meet on ${meetingTime}.`,
  })),
  cancelled: meetingEmail("meeting-canceled", ({ party, meetingTime }) => ({
    ...proposeAnother,
    text: `The ${others[party]} can't meet on ${meetingTime}. The attached file takes it out of your calendar.`,
  })),
};
