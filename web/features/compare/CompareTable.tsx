import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import type { Laptop, WithdrawnLaptop } from "#contract/laptops.ts";
import { formatPrice } from "#contract/price.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Photo } from "#web/ui/Photo.tsx";
import { type CompareRow, compareRows } from "./compare-rows.ts";
import { comparePath } from "./compared-ids.ts";
import "./compare.css";

/** A laptop to compare; undefined if no laptop has this id. */
export type Compared = { id: string; laptop: Laptop | WithdrawnLaptop | undefined };

type CompareTableProps = {
  columns: Compared[];
  /** The labels of all fact rows, in order. `factsOf` returns the values of one laptop. */
  factLabels: readonly string[];
  factsOf: (laptop: Laptop) => { label: string; value: string }[];
  /** Shown in the second column while there is only one laptop. */
  another: ReactNode;
};

const stated = ["Price", "Original Price", "Condition", "Availability", "Seller"];

/** Laptops side by side. Rows with different values are marked. */
export function CompareTable({ columns, factLabels, factsOf, another }: CompareTableProps) {
  const titleId = useId();
  const shown = columns.flatMap(({ laptop }) => (isShown(laptop) ? [laptop] : []));
  const values = shown.map(
    (laptop) =>
      new Map([
        ...valuesOf(laptop),
        ...factsOf(laptop).map(({ label, value }) => [label, value] as const),
      ]),
  );
  const rows = compareRows([...stated, ...factLabels], values);
  const ids = columns.map(({ id }) => id);
  return (
    <section className="compare-frame" aria-labelledby={titleId}>
      <table className="compare" data-columns={columns.length}>
        <caption id={titleId} className="sr-only">
          Laptops side by side
        </caption>
        <thead>
          <tr>
            <td />
            {columns.map((column) => (
              <th key={column.id} scope="col">
                <Head column={column} without={ids.filter((id) => id !== column.id)} />
              </th>
            ))}
            {columns.length === 1 && <td>{another}</td>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.label} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function isShown(laptop: Compared["laptop"]): laptop is Laptop {
  return laptop?.withdrawn === false;
}

const availability = { available: "For sale", booked: "On hold", sold: "Sold" };

function valuesOf(laptop: Laptop): [string, string][] {
  const { resale_price, original_price, condition, sales_status, verify, seller_name } = laptop;
  return [
    ["Price", formatPrice(resale_price)],
    ["Original Price", formatPrice(original_price)],
    ["Condition", condition],
    ["Availability", availability[sales_status]],
    ["Seller", verify ? `${seller_name} (verified)` : seller_name],
  ];
}

function Head({ column: { id, laptop }, without }: { column: Compared; without: string[] }) {
  const name = laptop?.product_name ?? "This laptop";
  return (
    <div className="flex flex-col items-start gap-2">
      {isShown(laptop) && (
        <Photo img={laptop.img} alt="" sizes="(width >= 64rem) 16rem, 11rem" eager />
      )}
      {laptop ? (
        <Link to={paths.laptop(id, name)} className="link-hover font-semibold">
          <ProductName name={name} />
        </Link>
      ) : (
        <span className="font-semibold">{name}</span>
      )}
      {!isShown(laptop) && <span>No longer available</span>}
      <Link
        to={comparePath(without)}
        rel="nofollow"
        replace
        className={buttonClass({ look: "plain", size: "small" })}
        aria-label={`Remove: ${name}`}
      >
        Remove
      </Link>
    </div>
  );
}

function Row({ row, columns }: { row: CompareRow; columns: Compared[] }) {
  const { label, differs } = row;
  const values = [...row.values];
  const isMarked = differs && values.length > 1;
  return (
    <tr data-differs={isMarked || undefined}>
      <th scope="row">
        {label}
        {isMarked && <small>Differs</small>}
      </th>
      {columns.map(({ id, laptop }) => (
        <td key={id} dir="auto">
          {isShown(laptop)
            ? (values.shift() ?? <span className="text-muted">Not stated</span>)
            : "–"}
        </td>
      ))}
      {columns.length === 1 && <td />}
    </tr>
  );
}
