import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { indexStaleListings } from "../search-index/index-listings.ts";
import { refreshVocabulary } from "./vocabulary.ts";

export const searchJobs = defineJobs({
  indexListings: {
    run: async (deps) => {
      // Suggestions and corrections use new words at once.
      if ((await indexStaleListings(deps)) > 0) await refreshVocabulary(deps);
    },
    schedule: everyMinute,
  },
  refreshVocabulary: { run: refreshVocabulary, schedule: { at: "*/10 * * * *", attempts: 1 } },
});
