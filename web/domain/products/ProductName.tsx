import { Link } from "react-router";
import { paths } from "#web/paths.ts";

/** A comma between a name's parts, but not one in parentheses, as in "MacBook Air (M4, 2025)". */
export const partSeparator = /, (?![^(]*\))/;

/** For a name such as "MacBook Air 13 M4, 16 GB, 256 GB". The comma is for screen readers only. */
export function ProductName({ name }: { name: string }) {
  const [model = "", ...parts] = name.split(partSeparator);
  if (parts.length === 0) return <bdi>{name}</bdi>;
  return (
    <>
      <bdi>{model}</bdi>
      <span className="comma">, </span>
      <bdi className="product-parts">{parts.join(", ")}</bdi>
    </>
  );
}

type LaptopLinkProps = { _id: string; product_name: string; className?: string };

export function LaptopLink({ _id, product_name, className = "link-hover" }: LaptopLinkProps) {
  return (
    <Link to={paths.laptop(_id, product_name)} className={className}>
      <ProductName name={product_name} />
    </Link>
  );
}
