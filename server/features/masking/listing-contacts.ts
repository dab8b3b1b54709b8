import type { StatedFacts } from "#contract/facts.ts";
import { fieldError } from "../../errors.ts";
import { findContacts, maskContacts } from "./mask-contacts.ts";

const hiddenUntilBooked = "[hidden until booked]";

type ListingTexts = { product_name: string; location: string; description: string };

/** The column `texts_with_contacts`: the original of each text that contains contact details. */
export type TextsWithContacts = Partial<ListingTexts>;

export function textColumns({ product_name, location, description }: ListingTexts) {
  const shown = { product_name, location, description };
  const own: TextsWithContacts = {};
  for (const [name, text] of Object.entries(shown) as [keyof ListingTexts, string][]) {
    const masked = maskContacts(text, hiddenUntilBooked);
    if (masked === null) continue;
    own[name] = text;
    shown[name] = masked;
  }
  const hasContacts = Object.keys(own).length > 0;
  return { ...shown, texts_with_contacts: hasContacts ? JSON.stringify(own) : null };
}

export function contactsIn(texts: unknown): string[] {
  return Object.values((texts ?? {}) as TextsWithContacts).flatMap(findContacts);
}

/** Throws `INVALID_INPUT` if facts contain contact details, because everyone can read facts. */
export function requireNoContacts(facts: StatedFacts | null | undefined): void {
  for (const [name, value] of Object.entries(facts ?? {})) {
    if (typeof value !== "string" || maskContacts(value) === null) continue;
    throw fieldError(`facts.${name}`, "Leave out phone numbers, email addresses and links.");
  }
}
