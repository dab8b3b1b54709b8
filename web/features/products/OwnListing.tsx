import { useInfiniteQuery } from "@tanstack/react-query";
import { formatPrice } from "#contract/price.ts";
import { listSellerProducts } from "#contract/products.ts";
import { listOf } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/Link.tsx";
import { AdvertiseButton, nextProductStep } from "./OwnListingActions.tsx";
import "#web/ui/data-table.css";

export default function OwnListing({ id }: { id: string }) {
  const email = useSession()?.user.email ?? "";
  const { data = [] } = useInfiniteQuery(listOf(listSellerProducts, { params: { email } }));
  const product = data.find(({ _id }) => _id === id);
  if (!product) return null;
  const step = nextProductStep(product);
  return (
    <div>
      <p className="mb-2 text-muted text-sm">This is your listing.</p>
      {step && (
        <div className="book-bar">
          <p className="book-bar-price">{formatPrice(product.resale_price)}</p>
          <ButtonLink to={step.to}>{step.label}</ButtonLink>
        </div>
      )}
      <div className="laptop-asks">
        {product.sales_status === "available" && (
          <AdvertiseButton product={product} size="medium" />
        )}
        <ButtonLink to={paths.myProducts()} look="plain">
          My Products
        </ButtonLink>
      </div>
    </div>
  );
}
