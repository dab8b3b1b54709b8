import type { SignInRefusal } from "../../adapters/identity/port.ts";
import { fieldError } from "../../errors.ts";
import { maskContacts } from "../masking/mask-contacts.ts";

const leaveOutContacts = "Use a name without a phone number or other contact details.";

/** Refuses a name with contact details, because strangers see names unmasked. */
export function refuseName(name: string): SignInRefusal | undefined {
  if (maskContacts(name) === null) return undefined;
  return { code: "INVALID_INPUT", message: leaveOutContacts };
}

/** Throws `INVALID_INPUT`. */
export function requireNameWithoutContacts(name: string): void {
  const refusal = refuseName(name);
  if (refusal) throw fieldError("name", refusal.message, refusal.code);
}
