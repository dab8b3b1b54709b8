import { z } from "zod";
import { call } from "./call.ts";

export const firstSteps = ["name", "operator", "cards", "payouts", "mail", "testPurchase"] as const;
export type FirstStep = (typeof firstSteps)[number];

export const readFirstSteps = call("GET /firstSteps", {
  access: "owner",
  summary: "The steps to take before a new shop opens, with the problems that npm run doctor finds",
  reads: ["shopSettings", "payments"],
  answers: {
    200: z.array(
      z.object({
        step: z.enum(firstSteps),
        isDone: z.boolean(),
        /** The provider's problem, and the setting to check. Null if there is none. */
        problem: z.string().nullable(),
      }),
    ),
  },
});
