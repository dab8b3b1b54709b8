import { z } from "zod";
import { acknowledged, call, date, id, inserted, modified } from "./call.ts";
import { liveMeetingStates } from "./life-cycle.ts";
import { accountTypes } from "./members.ts";
import { plainName } from "./text.ts";

export const maxDaysToMeeting = 60;

export const meeting = z.object({
  _id: id,
  state: z.enum(liveMeetingStates),
  by: z.enum(accountTypes),
  place: z.string(),
  startsAt: date,
  /** The IANA time zone of the proposing side, such as America/New_York. */
  timeZone: z.string(),
});

export type Meeting = z.output<typeof meeting>;

const place = plainName("Say where you want to meet.", 200);
const chooseTime = "Choose a date and time.";

const timeZone = z
  .string("Send a time zone, such as America/New_York.")
  .max(64, "That is no time zone.")
  .refine(isTimeZone, "That is no time zone.");

/** `startsAt` is a local time in the browser's time zone. */
export const meetingForm = z.object({
  place,
  startsAt: z.string(chooseTime).min(1, chooseTime),
});

const limit = { max: 30, minutes: 60 };

export const proposeMeeting = call("POST /bookingProducts/handover/{id}/meeting", {
  access: "member",
  summary:
    "Propose where and when to hand over a held or paid laptop, as its buyer or seller; an earlier proposal no longer stands",
  changes: ["bookings"],
  body: z.object({ place, startsAt: z.iso.datetime(chooseTime), timeZone }),
  limit,
  answers: { 201: inserted },
  refusals: ["STALE", "BLOCKED"],
});

export const acceptMeeting = call("PUT /bookingProducts/handover/{id}/meeting", {
  access: "member",
  summary: "Accept the place and time that the other side proposed",
  changes: ["bookings"],
  body: z.object({ meeting: id }),
  limit,
  answers: { 200: modified },
  refusals: ["STALE", "BLOCKED"],
});

export const cancelMeeting = call("DELETE /bookingProducts/handover/{id}/meeting/{meeting}", {
  access: "member",
  summary: "Withdraw a proposed place and time, or call an agreed one off, as either side",
  changes: ["bookings"],
  params: z.object({ id, meeting: id }),
  limit,
  answers: { 200: modified },
  refusals: ["STALE", "BLOCKED"],
});

export const readCalendar = call("GET /bookingProducts/handover/{id}/calendar", {
  access: "member",
  summary: "The agreed place and time as an iCalendar file",
  reads: ["bookings"],
  answers: { 200: acknowledged.extend({ file: z.string() }) },
  refusals: ["STALE"],
});

/** In the proposer's time zone: Tue, Nov 24, 2026, 3:00 PM EST. */
export function formatMeetingTime({
  startsAt,
  timeZone: zone,
}: Pick<Meeting, "startsAt" | "timeZone">): string {
  return new Intl.DateTimeFormat("en-US", {
    weekday: "short",
    month: "short",
    day: "numeric",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: zone,
  }).format(new Date(startsAt));
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
