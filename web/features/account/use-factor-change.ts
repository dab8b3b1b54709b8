import { useQueryClient } from "@tanstack/react-query";
import { listSessions, readSecondFactors } from "#contract/account.ts";
import { forgetAccessToken } from "#web/access-token.ts";
import { askAgain } from "#web/api.ts";
import { sessionQuery } from "#web/session.ts";
import { useOnce } from "#web/use-once.ts";

/** A change of how somebody logs in. It may give this browser another session, so the token is renewed. */
export function useFactorChange<V, D>(
  change: (values: V) => Promise<D>,
  onSuccess: (answer: D) => void = () => {},
) {
  const queries = useQueryClient();
  return useOnce({
    mutationFn: change,
    onSuccess: async (answer) => {
      forgetAccessToken();
      await queries.query({ ...sessionQuery, staleTime: 0 });
      await askAgain(queries, [readSecondFactors, listSessions]);
      onSuccess(answer);
    },
  });
}
