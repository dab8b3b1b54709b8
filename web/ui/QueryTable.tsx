import type { ComponentProps, ReactNode } from "react";
import { type Column, DataTable, TableSkeleton } from "./DataTable.tsx";
import { Notice } from "./Notice.tsx";
import { QueryState } from "./QueryState.tsx";

type QueryTableProps<T> = {
  query: ComponentProps<typeof QueryState<T[]>>["query"];
  /** The table's name for screen readers. */
  caption: string;
  columns: Column<T>[];
  /** The number of rows while loading. */
  skeletonRows?: number;
  emptyTitle: string;
  empty: ReactNode;
};

/** A table of what a query returns, or a notice if it returns nothing. */
export function QueryTable<T extends { _id: string }>(props: QueryTableProps<T>) {
  const { query, caption, columns, skeletonRows = 4, emptyTitle, empty } = props;
  return (
    <QueryState
      query={query}
      skeleton={<TableSkeleton columns={columns} rows={skeletonRows} />}
      empty={
        <Notice title={emptyTitle} drawing>
          {empty}
        </Notice>
      }
    >
      {(rows) => (
        <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ _id }) => _id} />
      )}
    </QueryState>
  );
}
