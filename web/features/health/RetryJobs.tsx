import { useQueryClient } from "@tanstack/react-query";
import { readHealth, retryJobs } from "#contract/health.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { toast } from "#web/ui/toast.ts";

/** A button to retry all jobs that the worker has given up on. */
export function RetryJobs() {
  const queries = useQueryClient();
  const retry = useCall(retryJobs, {
    onSuccess: ({ modifiedCount: count }) => {
      toast.success(`${count === 1 ? "1 job" : `${count} jobs`} will be tried again.`);
      return queries.invalidateQueries({ queryKey: [readHealth.path] });
    },
  });
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <Button busy={retry.isPending} onClick={() => retry.mutate({})}>
        Try again
      </Button>
      <p className="text-muted">Runs all given-up jobs again.</p>
    </div>
  );
}
