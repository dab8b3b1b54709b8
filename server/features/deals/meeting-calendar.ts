import { liveMeetingStates } from "#contract/life-cycle.ts";
import { hasAddress } from "#contract/text.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { isPartyTo } from "./booking-columns.ts";

/** Reads a meeting and its calendar file. */
export async function readMeeting(tx: Tx, deps: Deps, meetingId: string) {
  const row = await selectMeetings(tx)
    .where("meetings.id", "=", meetingId)
    .executeTakeFirstOrThrow();
  const { place, starts_at, time_zone: timeZone } = row;
  const meeting = { place, startsAt: starts_at.toISOString(), timeZone };
  return { ...row, meeting, calendar: toCalendar(deps, row) };
}

/** Throws `NOT_FOUND`, and `STALE` if the meeting is only proposed. */
export async function readCalendar(deps: Deps, member: Member, bookingId: string): Promise<string> {
  const row = await selectMeetings(deps.db)
    .where("bookings.id", "=", bookingId)
    .where("meetings.state", "in", liveMeetingStates)
    .where(isPartyTo(member.id))
    .executeTakeFirstOrThrow(orNotFound("You have no such deal, or it has no place and time."));
  if (row.state !== "agreed")
    throw new AppError("STALE", "This place and time are proposed, but not agreed yet.");
  return toCalendar(deps, row);
}

function selectMeetings(tx: Tx) {
  return tx
    .selectFrom("meetings")
    .innerJoin("bookings", "bookings.id", "meetings.booking_id")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select(["meetings.booking_id", "meetings.state", "meetings.place", "meetings.starts_at"])
    .select(["meetings.time_zone", "products.product_name"])
    .select((meeting) =>
      meeting
        .selectFrom("meetings as earlier")
        .whereRef("earlier.booking_id", "=", "meetings.booking_id")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .as("proposals"),
    );
}

type MeetingRow = Awaited<ReturnType<ReturnType<typeof selectMeetings>["executeTakeFirstOrThrow"]>>;

function toCalendar({ config, clock }: Deps, row: MeetingRow): string {
  return calendarFile({ ...row, writtenAt: clock.now(), publicUrl: config.publicUrl });
}

const durationMs = 30 * 60_000;

type CalendarEntry = Omit<MeetingRow, "time_zone"> & { writtenAt: Date; publicUrl: string };

/** Writes a calendar file (RFC 5545). Times are in UTC, to avoid time zone tables. */
export function calendarFile({ writtenAt, publicUrl, ...meeting }: CalendarEntry): string {
  const { booking_id, state, product_name, place, starts_at, proposals } = meeting;
  const url = `${publicUrl}/dashboard/handover/${booking_id}`;
  const cancelled = state === "cancelled";
  // A higher number, after a proposal or cancellation, makes programs replace the earlier entry.
  const revision = 2 * Number(proposals) + (cancelled ? 1 : 0);
  // Calendar programs could turn a host name in the laptop's name into a link.
  const laptop = hasAddress(product_name) ? "the laptop" : product_name;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Secondlap//Handover//EN",
    `METHOD:${cancelled ? "CANCEL" : "PUBLISH"}`,
    "BEGIN:VEVENT",
    `UID:${booking_id}@${new URL(publicUrl).hostname}`,
    `SEQUENCE:${revision}`,
    `DTSTAMP:${utc(writtenAt)}`,
    `DTSTART:${utc(starts_at)}`,
    `DTEND:${utc(new Date(starts_at.getTime() + durationMs))}`,
    `SUMMARY:${escapeText(`Handover: ${laptop}`)}`,
    `LOCATION:${escapeText(place)}`,
    `DESCRIPTION:${escapeText(`Place, time and code: ${url}`)}`,
    `URL:${url}`,
    `STATUS:${cancelled ? "CANCELLED" : "CONFIRMED"}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

/** Such as 20261124T150000Z. */
function utc(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

/** Folds a line at 75 bytes (RFC 5545). Continuation lines start with a space. */
function fold(line: string): string {
  let folded = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 75) {
      folded += "\r\n ";
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
