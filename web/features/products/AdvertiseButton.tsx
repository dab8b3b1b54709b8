import { type OwnProduct, toggleAdvertise } from "#contract/products.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";

type AdvertiseButtonProps = { product: OwnProduct; size?: "small" | "medium" };

/** Starts or stops advertising a listing (specification 2, /dashboard/myProducts). */
export function AdvertiseButton({ product, size = "small" }: AdvertiseButtonProps) {
  const { _id, product_name, advertise } = product;
  const label = advertise ? "Advertise On" : "Advertise Off";
  const toggle = useCall(toggleAdvertise);
  return (
    <Button
      look="plain"
      size={size}
      busy={toggle.isPending}
      aria-label={`${label}: ${product_name}`}
      onClick={() => toggle.mutate({ body: { id: _id, advertiseStatus: advertise } })}
    >
      <span className={advertise ? "switch switch-on" : "switch"} aria-hidden="true" />
      {label}
    </Button>
  );
}
