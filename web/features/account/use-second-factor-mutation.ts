import { useQueryClient } from "@tanstack/react-query";
import { changedBySecondFactors } from "#contract/call-resources.ts";
import { clearAccessToken } from "#web/api/access-token.ts";
import { useMutationOnce } from "#web/api/api.ts";
import { sessionQuery } from "#web/auth/session.ts";

/** The change may create a new session, so the old session's access token is removed. */
export function useSecondFactorMutation<V, D>(
  change: (values: V) => Promise<D>,
  onSuccess: (answer: D) => void = () => {},
) {
  const queries = useQueryClient();
  return useMutationOnce({
    mutationFn: change,
    meta: { changes: changedBySecondFactors },
    onSuccess: async (answer) => {
      clearAccessToken();
      await queries.query({ ...sessionQuery, staleTime: 0 });
      onSuccess(answer);
    },
  });
}
