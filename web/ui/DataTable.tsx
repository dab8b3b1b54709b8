import "./data-table.css";
import type { ReactNode } from "react";

export type Column<T> = {
  header: string;
  cell: (row: T, index: number) => ReactNode;
  /** Cards on phones start with photo and title. Tables right-align numbers and amounts. */
  as?: "number" | "photo" | "title" | "amount";
};

type DataTableProps<T> = {
  /** The table's name for screen readers. */
  caption: string;
  columns: Column<T>[];
  rows: T[];
};

/** Becomes a list of cards where space is narrow, as on phones. */
export function DataTable<T extends { _id: string }>(props: DataTableProps<T>) {
  const { caption, columns, rows } = props;
  return (
    <div className="data-table-frame">
      <table className="data-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ header, as }) => (
              <th key={header} scope="col" data-as={as}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row._id} tabIndex={-1}>
              {columns.map(({ header, cell, as }) => (
                <td key={header} data-header={header} data-as={as}>
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

/** The column that numbers the rows, "SL" (specification 2.3). */
export function serialNumber<T>(): Column<T> {
  return { header: "SL", cell: (_, index) => index + 1, as: "number" };
}

export function TableSkeleton<T>({ columns, rows = 4 }: { columns: Column<T>[]; rows?: number }) {
  const empty = columns.map((column) => ({
    ...column,
    cell: () => (
      <div
        className={`skeleton ${column.as === "photo" ? "aspect-4/3 w-24" : "h-10 w-full max-w-40"}`}
      />
    ),
  }));
  const numbered = Array.from({ length: rows }, (_, index) => ({ _id: String(index) }));
  return <DataTable caption="Loading" columns={empty} rows={numbered} />;
}
