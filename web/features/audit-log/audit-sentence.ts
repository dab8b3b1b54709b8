import type { AuditEntry, AuditObject } from "#contract/audit.ts";
import { invitationReasons } from "#contract/invitation-rules.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import { settingNames } from "#contract/shop-settings.ts";
import { eventName } from "#web/domain/deals/event-name.ts";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";

/** The texts for objects without a name, such as photos. */
export const nouns: Record<AuditObject, string> = {
  member: "a member",
  product: "a laptop",
  booking: "a deal",
  payment: "a payment",
  report: "a laptop",
  image: "a photo",
  invitation: "an invitation",
  conversation: "a laptop",
  review: "a laptop",
  offer: "a laptop",
  journal: "the ledger",
  shop: "the settings of the shop",
  category: "a category",
};

type Phrases = Record<string, string>;

/** The phrase for each object and verb. `{}` is replaced by the object's name. */
const phrases: Partial<Record<AuditObject, Phrases>> = {
  member: {
    join: "signed up",
    "confirm address": "confirmed their email address",
    "resend confirmation": "asked for a new link to confirm their email address",
    "reset password": "chose a new password",
    "confirm password": "confirmed their password",
    rename: "changed their name",
    "update profile": "changed their profile",
    addRole: "became a buyer and seller",
    "read own data": "downloaded their data",
    "end sessions": "signed {} out everywhere",
    "turn on two-step verification": "turned on two-step verification",
    "turn off two-step verification": "turned off two-step verification",
    "make backup codes": "made new backup codes",
    "add passkey": "added a passkey",
    "remove passkey": "removed a passkey",
    "reset second factor": "turned off the two-step verification of {}",
    "grant admin": "made {} an admin",
    "revoke admin": "removed {} from the admins",
    verify: "verified the seller {}",
    unverify: "removed the badge of the seller {}",
    "note verification": "noted why the seller {} is verified",
    block: "blocked {}",
    unblock: "unblocked {}",
    suspend: "suspended {}",
    restore: "restored {}",
    delete: "deleted {}",
    erase: "erased the data of {}",
    "connect account": "connected a bank account",
    "read account": "read the payout account of {} at the card provider",
    payout: "recorded a payout to the bank of {}",
    "reject email": "couldn't email {}",
  },
  product: {
    list: "listed {} for sale",
    edit: "edited {}",
    delete: "deleted {}",
    advertise: "advertised {}",
    "stop advertising": "stopped advertising {}",
    "set lowest price": "set the lowest price for offers on {}",
    report: "reported {}",
    "take down": "took {} down",
    "find in order": "checked {} and found it in order",
    "move photo": "moved the photo of {}",
  },
  shop: { publish: "published {}", restore: "published an earlier version of {}" },
  category: {
    add: "added the category {}",
    change: "changed the category {}",
    delete: "deleted {} and moved its laptops",
  },
  report: { close: "closed a report about {}" },
  image: { upload: "uploaded {}", forget: "deleted {} that wasn't used" },
  offer: {
    make: "made an offer for {}",
    counter: "made a counteroffer for {}",
    accept: "accepted an offer for {}",
    decline: "declined an offer for {}",
    withdraw: "withdrew an offer for {}",
    expire: "ended an offer for {}, which had expired",
    end: "ended an offer for {}",
  },
  review: {
    write: "wrote a review about {}",
    publish: "published a review about {}",
    reply: "replied to a review about {}",
    report: "reported a review about {}",
    "close report": "closed a report of a review about {}",
    remove: "removed a review about {}",
  },
  conversation: {
    "send message": "wrote a message about {}",
    "read messages": "read messages about {}",
    read: "read the reported messages about {}",
    report: "reported messages about {}",
    "close report": "closed a report of messages about {}",
  },
  invitation: {
    invite: "sent {}",
    join: "accepted {}",
    complete: "rewarded {}",
    expire: "ended {}, which had expired",
    suspect: "found {} suspicious",
    approve: "approved {}",
    refuse: "refused {}",
    "approve reward": "approved the reward of {}",
    "invite to staff": "sent {} to join the staff",
    "take back": "took back {} to join the staff",
    accept: "accepted {} to join the staff",
    "refuse reward": "refused the reward of {}",
    "wait for budget": "put off the reward of {}, which is over the budget",
    "give missed discount": "gave the missed discount of {}",
    unsubscribe: "stopped emails to a person with {}",
  },
  journal: { correct: "corrected {}" },
};

/** Returns an entry's sentence with placeholders: `{actor}`, and `{}` for the object's name. */
export function auditSentence({ actor, object, verb }: AuditEntry): string {
  const phrase = phrases[object]?.[verb];
  if (phrase) return `{actor} ${phrase}`;
  const name = eventName({ verb, object, actor: actor?.name ?? null });
  if (/^[a-z]/.test(name)) return `{actor} ${name}: {}`;
  return actor ? `${name}: {}, by {actor}` : `${name}: {}`;
}

/** An entry's details as texts, such as "$819", "fulfilled" or "via webhook". Omits `…Id`. */
export function auditDetails({ object, detail }: AuditEntry): string[] {
  return Object.entries(detail)
    .filter(([name, value]) => !name.endsWith("Id") && value !== null)
    .map(([name, value]) => detailText(object, name, value));
}

function detailText(object: AuditObject, name: string, value: Detail): string {
  if (/cents$/i.test(name)) return formatPrice(toDollars(Number(value)));
  if (name.endsWith("At")) return `${toWords(name)} ${formatDateTime(String(value))}`;
  if (name === "source") return `via ${value}`;
  if (name === "noDiscount") return `not given, because the ${value}'s 30-day limit was used up`;
  if (typeof value === "boolean") return value ? toWords(name) : `not ${toWords(name)}`;
  const text = String(value).replaceAll("_", " ");
  if (name === "changed")
    return `changed ${text.replaceAll(/\w+/g, (part) => settingNames[part] ?? part)}`;
  if (name !== "reason" && name !== "role") return `${toWords(name)} ${text}`;
  return (object === "invitation" && invitationReasons[text]) || `${name}: ${text}`;
}

type Detail = AuditEntry["detail"][string];

function toWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
