import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { Notice } from "./Notice.tsx";

type Query<D> = {
  data: D | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
};

type QueryStateProps<D> = {
  query: Query<D>;
  /** Should have the size of the content. */
  skeleton: ReactNode;
  empty?: ReactNode;
  children: (data: D) => ReactNode;
};

export function QueryState<D>({ query, skeleton, empty, children }: QueryStateProps<D>) {
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage = false } = query;
  if (data === undefined) {
    return error && !isFetching ? (
      <Notice title="We couldn't load this" role="alert">
        <p>{error.message}</p>
        <Button look="plain" onClick={() => refetch()}>
          Try again
        </Button>
      </Notice>
    ) : (
      <div role="status" className="relative">
        <span
          className="loading loading-large absolute inset-x-0 top-10 z-1 mx-auto text-primary"
          aria-hidden="true"
        />
        <span className="sr-only">Loading</span>
        <div aria-hidden="true">{skeleton}</div>
      </div>
    );
  }
  if (empty !== undefined && Array.isArray(data) && data.length === 0) return empty;
  return (
    <>
      {children(data)}
      {hasNextPage && (
        <div className="mt-8 flex justify-center">
          <Button look="plain" busy={isFetchingNextPage} onClick={() => query.fetchNextPage?.()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
