import type { ComponentProps, ReactNode } from "react";
import { type Column, DataTable, TableSkeleton } from "./DataTable.tsx";
import { Notice } from "./Notice.tsx";
import { QueryState } from "./QueryState.tsx";

type QueryTableProps<T> = {
  query: ComponentProps<typeof QueryState<T[]>>["query"];
  caption: string;
  columns: Column<T>[];
  skeletonRows?: number;
  emptyTitle: string;
  empty: ReactNode;
};

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
      {(rows) => <DataTable caption={caption} columns={columns} rows={rows} />}
    </QueryState>
  );
}
