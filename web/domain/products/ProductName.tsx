import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { UserText } from "../../ui/UserText.tsx";

/** For a name such as "MacBook Air 13 M4, 16 GB, 256 GB". The comma is for screen readers only. */
export function ProductName({ name }: { name: string }) {
  const [model = "", ...parts] = name.split(", ");
  if (parts.length === 0) return <UserText>{name}</UserText>;
  return (
    <>
      <UserText>{model}</UserText>
      <span className="comma">, </span>
      <bdi className="product-parts">{parts.join(", ")}</bdi>
    </>
  );
}

type LaptopLinkProps = { product: { _id: string; product_name: string }; className?: string };

export function LaptopLink({ product, className = "link-hover" }: LaptopLinkProps) {
  const { _id, product_name } = product;
  return (
    <Link to={paths.laptop(_id, product_name)} className={className}>
      <ProductName name={product_name} />
    </Link>
  );
}
