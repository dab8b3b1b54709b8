import { z } from "zod";
import { call } from "./call.ts";

/** What a browser needs to know of this installation; nothing here is secret. */
const publicConfig = z.object({
  imageHost: z.object({ url: z.string(), key: z.string() }),
  cardPublishableKey: z.string(),
  /** Where the card provider's script is, when it is not the provider's own. */
  cardScriptUrl: z.string().nullable(),
  identity: z.enum(["embedded", "firebase"]),
  /** Whether people may come in with their Google account. */
  google: z.boolean(),
  /** Where mail can be read that reaches no mailbox, because it goes to the sandbox. */
  mailInboxUrl: z.string().nullable(),
  currency: z.string(),
  /** How long an unpaid laptop is held for who booked it. */
  holdMinutes: z.number(),
  demo: z.boolean(),
  /** Whether this is a test shop on test keys, where no real money moves. */
  staging: z.boolean(),
});

export type PublicConfig = z.output<typeof publicConfig>;

export const readConfig = call({
  method: "GET",
  path: "/config",
  access: "public",
  summary: "What a browser needs to know",
  reads: [],
  answers: { 200: publicConfig },
  refusals: [],
});
