import { z } from "zod";
import { call, date, deleted, id, inserted, modified } from "./call.ts";

export const maxSavedSearches = 20;

export const searchFrequencies = ["daily", "instant", "never"] as const;
export type SearchFrequency = (typeof searchFrequencies)[number];

const frequency = z.enum(searchFrequencies, "Frequency must be daily, instant or never.");

export const savedSearch = z.object({
  _id: id,
  /** The query string from the search's URL, such as `q=thinkpad&ram=16`. */
  search: z.string(),
  label: z.string(),
  frequency: z.enum(searchFrequencies),
  savedAt: date,
  /** Why the search is no longer valid; null if it is valid. */
  problem: z.string().nullable(),
});

export type SavedSearch = z.output<typeof savedSearch>;

export const listSavedSearches = call("GET /savedSearches", {
  access: "member",
  summary: "The caller's saved searches, the last saved first",
  reads: ["saved"],
  replica: true,
  answers: { 200: z.array(savedSearch) },
});

export const saveSearch = call("POST /savedSearches", {
  access: "member",
  summary:
    "Save a search, to get emails about new laptops, daily unless a frequency is sent; repeated, it changes the frequency if one is sent",
  changes: ["saved"],
  body: z.object({
    search: z
      .string("Send the parameters of a search, such as q=thinkpad&ram=16.")
      .max(2000, "That search is too long."),
    /** Defaults to the stored frequency, or to `daily` for a new search. */
    frequency: frequency.optional(),
  }),
  limit: { max: 100, minutes: 60 },
  answers: { 201: inserted },
  refusals: ["TOO_MANY_SAVED"],
});

export const changeSavedSearch = call("PUT /savedSearches/{id}", {
  access: "member",
  summary: "Change how often emails about a saved search come",
  changes: ["saved"],
  body: z.object({ frequency }),
  limit: { max: 300, minutes: 60 },
  answers: { 200: modified },
});

export const deleteSavedSearch = call("DELETE /savedSearches/{id}", {
  access: "member",
  summary: "Delete a saved search",
  changes: ["saved"],
  limit: { max: 300, minutes: 60 },
  answers: { 200: deleted },
});
