import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import type { Laptop, WithdrawnLaptop } from "#contract/laptop-page.ts";
import { formatPrice } from "#contract/price.ts";
import { factLabels, factRows } from "#web/domain/products/fact-rows.ts";
import { partSeparator } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { Photo } from "#web/ui/Photo.tsx";
import { type Column, type CompareRow, comparePath, compareRows, scoresOf } from "./comparison.ts";
import "./compare.css";

/** `laptop` is undefined if it couldn't be read, for example because it was removed. */
type Compared = { id: string; laptop: Laptop | WithdrawnLaptop | undefined };

type CompareTableProps = {
  columns: Compared[];
  actionsOf: (laptop: Laptop) => ReactNode;
  /** Shown in the second column while there is only one laptop. */
  another: ReactNode;
};

const stated = ["Price", "Original Price", "Condition", "Availability", "Seller"];

/** Marks a row's best values. Fades rows without differences. */
export function CompareTable({ columns, actionsOf, another }: CompareTableProps) {
  const titleId = useId();
  const rows = compareRows(
    [...stated, ...factLabels],
    columns.map(({ laptop }) => columnOf(laptop)),
  );
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
            {columns.map(({ id, laptop }) => (
              <th key={id} scope="col">
                <Link
                  to={comparePath(ids.filter((one) => one !== id))}
                  rel="nofollow"
                  replace
                  className="compare-remove"
                  title="Remove"
                  aria-label={`Remove: ${laptop?.product_name ?? "This laptop"}`}
                >
                  <Icon name="x" className="size-4" />
                </Link>
                <Head id={id} laptop={laptop} actionsOf={actionsOf} />
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

function columnOf(laptop: Compared["laptop"]): Column {
  if (!isShown(laptop)) return { values: new Map(), scores: {} };
  const { resale_price, original_price, condition, sales_status, verify, seller_name } = laptop;
  const values = new Map([
    ["Price", formatPrice(resale_price)],
    ["Original Price", formatPrice(original_price)],
    ["Condition", condition],
    ["Availability", availability[sales_status]],
    ["Seller", verify ? `${seller_name} (verified)` : seller_name],
    ...factRows(laptop).map(({ label, value }) => [label, value] as const),
  ]);
  return { values, scores: scoresOf(laptop) };
}

/** The model without its specifications, which have their own rows. */
function nameOf(laptop: Compared["laptop"]): string {
  return laptop?.product_name.split(partSeparator)[0] ?? "This laptop";
}

function Head({ id, laptop, actionsOf }: Compared & Pick<CompareTableProps, "actionsOf">) {
  if (!isShown(laptop))
    return (
      <>
        <p className="compare-name">{nameOf(laptop)}</p>
        <p>No longer available</p>
      </>
    );
  return (
    <>
      <Photo img={laptop.img} alt="" sizes="9rem" eager />
      <Link to={paths.laptop(id, laptop.product_name)} className="compare-name link-hover">
        <bdi>{nameOf(laptop)}</bdi>
      </Link>
      <p className="compare-price">{formatPrice(laptop.resale_price)}</p>
      <div className="compare-actions">{actionsOf(laptop)}</div>
    </>
  );
}

function Row({ row, columns }: { row: CompareRow; columns: Compared[] }) {
  const { label, cells, isEqual } = row;
  return (
    <tr data-equal={isEqual || undefined}>
      <th scope="row">{label}</th>
      {columns.map(({ id, laptop }, index) => (
        <td key={id} dir="auto" data-best={cells[index]?.isBest || undefined}>
          {cells[index]?.value ?? (
            <span className="text-muted">{isShown(laptop) ? "Not stated" : "–"}</span>
          )}
          {cells[index]?.isBest && <span className="sr-only"> (best)</span>}
        </td>
      ))}
      {columns.length === 1 && <td />}
    </tr>
  );
}
