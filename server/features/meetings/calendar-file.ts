import { hasAddress } from "#contract/text.ts";

const durationMs = 30 * 60_000;

/** What a calendar entry says. `revision`: a higher one takes the place of what the calendar has. */
export type CalendarEntry = {
  bookingId: string;
  revision: number;
  product: string;
  place: string;
  startsAt: Date;
  writtenAt: Date;
  /** Where the site is. */
  publicUrl: string;
  cancelled?: boolean;
};

/** One event as an iCalendar file (RFC 5545). Its times are in UTC, so that it needs no tables of time zones. */
export function calendarFile(entry: CalendarEntry): string {
  const { bookingId, revision, product, place, startsAt, writtenAt, cancelled = false } = entry;
  const url = `${entry.publicUrl}/dashboard/handover/${bookingId}`;
  // Calendar programs turn host names into links.
  const laptop = hasAddress(product) ? "the laptop" : product;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Secondlap//Handover//EN",
    `METHOD:${cancelled ? "CANCEL" : "PUBLISH"}`,
    "BEGIN:VEVENT",
    `UID:${bookingId}@${new URL(entry.publicUrl).hostname}`,
    `SEQUENCE:${revision}`,
    `DTSTAMP:${utc(writtenAt)}`,
    `DTSTART:${utc(startsAt)}`,
    `DTEND:${utc(new Date(startsAt.getTime() + durationMs))}`,
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

/** 20261124T150000Z */
function utc(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

/** Lines have at most 75 bytes; a longer one goes on in the next, after a space. No character is cut. */
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
