import { expect, test } from "vitest";
import { calendarFile } from "./meeting-calendar.ts";

const entry = {
  bookingId: "0199f0c0-0000-7000-8000-000000000001",
  revision: 2,
  product: "ThinkPad",
  place: "Library",
  startsAt: new Date("2026-11-24T20:00:00Z"),
  writtenAt: new Date("2026-11-23T08:30:15.123Z"),
  publicUrl: "https://shop.example:8443",
};

test("a calendar file contains one event with its times in UTC (RFC 5545)", () => {
  expect(calendarFile(entry).split("\r\n")).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Secondlap//Handover//EN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    "UID:0199f0c0-0000-7000-8000-000000000001@shop.example",
    "SEQUENCE:2",
    "DTSTAMP:20261123T083015Z",
    "DTSTART:20261124T200000Z",
    "DTEND:20261124T203000Z",
    "SUMMARY:Handover: ThinkPad",
    "LOCATION:Library",
    "DESCRIPTION:Place\\, time and code: https://shop.example:8443/dashboard/hand",
    " over/0199f0c0-0000-7000-8000-000000000001",
    "URL:https://shop.example:8443/dashboard/handover/0199f0c0-0000-7000-8000-00",
    " 0000000001",
    "STATUS:CONFIRMED",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

test("text from members can't add lines or links to a calendar file", () => {
  const place = "Café; 2nd floor, left\\right\r\nSTATUS:CANCELLED";
  const file = calendarFile({ ...entry, place, product: "ThinkPad evil.example" });
  expect(file).toContain("LOCATION:Café\\; 2nd floor\\, left\\\\right\\nSTATUS:CANCELLED\r\n");
  expect(file).toContain("SUMMARY:Handover: the laptop\r\n");
  expect(file.match(/^STATUS/gm)).toHaveLength(1);
});

test("a calendar file folds long lines at 75 bytes, between characters", () => {
  const place = "東京駅の中央図書館".repeat(12);
  const file = calendarFile({ ...entry, place });
  for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(file.replaceAll("\r\n ", "")).toContain(`LOCATION:${place}\r\n`);
});
