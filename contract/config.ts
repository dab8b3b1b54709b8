import { z } from "zod";
import { call } from "./call.ts";

/** Public settings of this installation. */
const publicConfig = z.object({
  imageHost: z.object({ url: z.string(), key: z.string() }),
  cardPublishableKey: z.string(),
  /** URL of the card provider's script, if it is not the provider's own. */
  cardScriptUrl: z.string().nullable(),
  identity: z.enum(["embedded", "firebase"]),
  /** What browsers need to sign in with Firebase; `emulatorUrl` is of its Auth emulator, in tests. */
  firebase: z
    .object({
      projectId: z.string(),
      apiKey: z.string(),
      authDomain: z.string(),
      emulatorUrl: z.string().nullable(),
    })
    .nullable(),
  /** The providers for "Continue with …". */
  signInProviders: z.array(z.object({ id: z.enum(["google", "oidc"]), label: z.string() })),
  /** URL of the sandbox's inbox, if mail goes there instead of to real mailboxes. */
  mailInboxUrl: z.string().nullable(),
  currency: z.string(),
  /** How long an unpaid hold lasts. */
  holdMinutes: z.number(),
  /** The shop's part of a sale, in percent. */
  feePercent: z.number(),
  /** A laptop that isn't handed over so many days after its payment is refunded. */
  handoverDays: z.number(),
  /** How long after the handover the money of a sale stays with the shop. */
  complaintHours: z.number(),
  /** What invitations earn, in the words of Home and of the invitation (contract/invitation-rules.ts). */
  invitations: z.object({
    promo: z.object({
      sentence: z.string(),
      offers: z.array(z.object({ amount: z.string(), text: z.string() })),
    }),
    friendOffer: z.string(),
  }),
  demo: z.boolean(),
  /** Whether this is a test shop with test keys. */
  staging: z.boolean(),
});

export type PublicConfig = z.output<typeof publicConfig>;

export const readConfig = call({
  method: "GET",
  path: "/config",
  access: "public",
  summary: "Public settings of this installation",
  reads: [],
  answers: { 200: publicConfig },
  refusals: [],
});
