import { z } from "zod";
import { cacheTags } from "./cache-tags.ts";
import { call } from "./call.ts";

const publicConfig = z.object({
  imageHost: z.object({ url: z.string(), key: z.string() }),
  cardPublishableKey: z.string(),
  /** URL of the card provider's script; null for the provider's default URL. */
  cardScriptUrl: z.string().nullable(),
  identity: z.enum(["embedded", "firebase"]),
  /** In tests, `emulatorUrl` is the URL of the Auth emulator. */
  firebase: z
    .object({
      projectId: z.string(),
      apiKey: z.string(),
      authDomain: z.string(),
      emulatorUrl: z.string().nullable(),
    })
    .nullable(),
  signInProviders: z.array(z.object({ id: z.enum(["google", "oidc"]), label: z.string() })),
  /** URL of the sandbox's inbox; null if mail goes to real mailboxes. */
  mailInboxUrl: z.string().nullable(),
  currency: z.string(),
  holdHours: z.number(),
  /** contract/fee.ts explains the rule. */
  fee: z.object({
    percent: z.number(),
    fixed: z.number(),
    minimum: z.number(),
    cap: z.number().nullable(),
  }),
  /** A sale without a handover is refunded this many days after the payment. */
  handoverDays: z.number(),
  /** How long after the handover the buyer can complain. */
  complaintHours: z.number(),
  selling: z.object({ sellers: z.enum(["everybody", "verified"]), approval: z.boolean() }),
  invitations: z.object({
    promo: z.object({
      sentence: z.string(),
      offers: z.array(z.object({ amount: z.string(), text: z.string() })),
    }),
    friendOffer: z.string(),
    /** The friend's discount applies to prices above this amount, in dollars. */
    discountOver: z.number(),
  }),
  demo: z.boolean(),
  /** Whether this is a test shop with test keys. */
  staging: z.boolean(),
});

export type PublicConfig = z.output<typeof publicConfig>;

export const readConfig = call("GET /config", {
  access: "public",
  openWhileClosed: true,
  summary: "Public settings of this installation",
  reads: [],
  // Fee, deadlines and promo are shop settings, so publishing them purges the cached response.
  cacheTags: () => [cacheTags.shop],
  answers: { 200: publicConfig },
});
