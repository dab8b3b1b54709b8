import type { ReactNode } from "react";

export type Column<T> = {
  header: string;
  cell: (row: T, index: number) => ReactNode;
};

type DataTableProps<T> = {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: Column<T>[];
  rows: T[];
  keyOf: (row: T) => string;
};

/** A table that becomes a list of cards on phones, each value under its column's name. */
export function DataTable<T>({ caption, columns, rows, keyOf }: DataTableProps<T>) {
  return (
    <div className="data-table-frame">
      <table className="data-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ header }) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row)}>
              {columns.map(({ header, cell }) => (
                <td key={header} data-header={header}>
                  <div>{cell(row, index)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The first column of the specification's tables: the serial number. */
export function serialNumber<T>(): Column<T> {
  return { header: "SL", cell: (_, index) => index + 1 };
}

/** A table of as many rows of nothing yet. */
export function TableSkeleton({ headers, rows = 4 }: { headers: string[]; rows?: number }) {
  const columns = headers.map((header) => ({
    header,
    cell: () => <div className="skeleton h-10 w-full max-w-40" />,
  }));
  const ids = Array.from({ length: rows }, (_, index) => String(index));
  return <DataTable caption="Loading" columns={columns} rows={ids} keyOf={(id) => id} />;
}
