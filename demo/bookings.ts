import type { BookingState } from "#contract/life-cycle.ts";
import type { Buyer } from "./people.ts";

export interface DemoBooking {
  readonly product_name: string;
  readonly buyer: Buyer;
  readonly phone: string;
  readonly location: string;
  readonly state: BookingState;
  readonly bookedHoursAgo: number;
  /**
   * For completed bookings; 1 by default. If set, the payment's funds are available immediately.
   */
  readonly handedOverHoursAgo?: number;
}

export const bookings: readonly DemoBooking[] = [
  {
    product_name: "MacBook Pro 14 M3 Pro, 18 GB, 512 GB",
    buyer: "oskar",
    phone: "617-555-0148",
    location: "Diesel Cafe, Davis Square, Somerville",
    state: "held",
    bookedHoursAgo: 2,
  },
  {
    product_name: "Dell XPS 15 9520, i7, RTX 3050 Ti, 32 GB, 1 TB",
    buyer: "nora",
    phone: "503-555-0126",
    location: "Multnomah County Central Library, Portland, main entrance",
    state: "held",
    bookedHoursAgo: 3,
  },
  {
    product_name: "HP EliteBook 840 G8, i5, 16 GB, 512 GB",
    buyer: "nora",
    phone: "503-555-0126",
    location: "Union Station, Chicago, information desk in the Great Hall",
    state: "paid",
    bookedHoursAgo: 20,
  },
  {
    product_name: "Surface Laptop 4 13.5, Ryzen 5, 8 GB, 256 GB",
    buyer: "elliot",
    phone: "971-555-0103",
    location: "Pioneer Courthouse Square, Portland, by the fountain",
    state: "paid",
    bookedHoursAgo: 29,
  },
  {
    product_name: "Samsung Galaxy Book3 Pro 14, i7, 16 GB, 512 GB",
    buyer: "elliot",
    phone: "971-555-0103",
    location: "Austin Central Library, second-floor café",
    state: "expired",
    bookedHoursAgo: 75,
  },
  {
    product_name: "Lenovo Legion 5 Pro 16, Ryzen 7, RTX 3070 Ti, 16 GB, 1 TB",
    buyer: "aisha",
    phone: "720-555-0191",
    location: "Tattered Cover, East Colfax, Denver",
    state: "cancelled",
    bookedHoursAgo: 52,
  },
  {
    product_name: "MacBook Pro 14 M1 Pro, 16 GB, 512 GB",
    buyer: "gabe",
    phone: "206-555-0159",
    location: "Elliott Bay Book Company, Seattle",
    state: "refunded",
    bookedHoursAgo: 120,
  },
  {
    product_name: "MacBook Air 13 M2, 16 GB, 512 GB",
    buyer: "nora",
    phone: "503-555-0126",
    location: "South Station, Boston, at the clock",
    state: "completed",
    bookedHoursAgo: 190,
  },
  {
    product_name: "Lenovo Yoga 9i 14, i7, 16 GB, 512 GB OLED",
    buyer: "mei",
    phone: "503-555-0177",
    location: "Beaverton City Library, lobby",
    state: "completed",
    bookedHoursAgo: 215,
  },
  {
    product_name: "Dell XPS 13 9310, i7, 16 GB, 512 GB",
    buyer: "aisha",
    phone: "512-555-0108",
    location: "Austin–Bergstrom Airport, arrivals, door 4",
    state: "completed",
    bookedHoursAgo: 260,
  },
];

export interface DemoReport {
  readonly product_name: string;
  readonly buyer: Buyer;
  readonly comment: string;
  readonly reportedHoursAgo: number;
}

export const reports: readonly DemoReport[] = [
  {
    product_name: "HP Chromebook 14a, Celeron, 4 GB, 64 GB",
    buyer: "mei",
    comment:
      "I asked for the serial number twice and was told it had been filed off. That does not sound like a school laptop to me.",
    reportedHoursAgo: 7,
  },
  {
    product_name: "ASUS TUF Gaming A15, Ryzen 7, RTX 3060, 16 GB, 512 GB",
    buyer: "gabe",
    comment:
      "When I went to see it the graphics card was an RTX 3050, not the 3060 in the title. The seller said he would fix the listing and has not.",
    reportedHoursAgo: 31,
  },
  {
    product_name: "Dell Inspiron 16 Plus, i7, 16 GB, 512 GB",
    buyer: "oskar",
    comment:
      "Probably an honest mistake: the text says 3K screen, but this model number was only sold with the 1920 × 1200 panel. Could someone ask?",
    reportedHoursAgo: 64,
  },
];
