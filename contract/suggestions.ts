import { z } from "zod";
import { call } from "./call.ts";
import { searchText } from "./text.ts";

export const suggestionKinds = ["brand", "model", "word", "place"] as const;

export const listSuggestions = call({
  method: "GET",
  path: "/suggestions",
  access: "public",
  summary: "What somebody who has typed this may be looking for",
  reads: ["products"],
  replica: true,
  uncached: true,
  query: z.object({
    q: searchText(100, "Search with at most 100 characters.").default(""),
  }),
  answers: {
    200: z.object({
      items: z.array(z.object({ text: z.string(), kind: z.enum(suggestionKinds) })),
    }),
  },
  refusals: ["UNAVAILABLE"],
});
