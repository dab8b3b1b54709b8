import type { Member } from "../server/db/member.ts";

/** A production server refuses to start if any demo account exists. */
export const demoPassword = "Demo#2026";

export const admin = {
  name: "Robin Achterberg",
  email: "admin@demo.test",
  joinedDaysAgo: 400,
} as const;

export const sellers = {
  marta: {
    name: "Marta Lindqvist",
    email: "seller@demo.test",
    mobile_number: "503-555-0114",
    verify: true,
    joinedDaysAgo: 310,
  },
  devon: {
    name: "Devon Okafor",
    email: "devon@demo.test",
    mobile_number: "312-555-0137",
    verify: true,
    joinedDaysAgo: 198,
  },
  priya: {
    name: "Priya Raman",
    email: "priya@demo.test",
    mobile_number: "512-555-0162",
    verify: true,
    joinedDaysAgo: 121,
  },
  hannah: {
    name: "Hannah Weiss",
    email: "hannah@demo.test",
    mobile_number: "617-555-0121",
    verify: true,
    joinedDaysAgo: 104,
  },
  tomas: {
    name: "Tomás Herrera",
    email: "tomas@demo.test",
    mobile_number: "303-555-0189",
    verify: false,
    joinedDaysAgo: 66,
  },
  jun: {
    name: "Jun Takeda",
    email: "jun@demo.test",
    mobile_number: "206-555-0175",
    verify: false,
    joinedDaysAgo: 58,
  },
} as const;

export type Seller = keyof typeof sellers;

export const buyers = {
  nora: { name: "Nora Castellanos", email: "buyer@demo.test", joinedDaysAgo: 160 },
  elliot: { name: "Elliot Marsh", email: "elliot@demo.test", joinedDaysAgo: 133 },
  aisha: { name: "Aisha Benali", email: "aisha@demo.test", joinedDaysAgo: 92 },
  gabe: { name: "Gabe Fontaine", email: "gabe@demo.test", joinedDaysAgo: 75 },
  mei: { name: "Mei-Ling Zhou", email: "mei@demo.test", joinedDaysAgo: 43 },
  oskar: { name: "Oskar Nyman", email: "oskar@demo.test", joinedDaysAgo: 17 },
} as const;

export type Buyer = keyof typeof buyers;

/** Members by their keys in `sellers` and `buyers`. */
export type DemoMembers = {
  readonly sellers: Record<string, Member>;
  readonly buyers: Record<string, Member>;
};
