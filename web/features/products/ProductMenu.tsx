import type { ReactNode } from "react";
import { Link } from "react-router";
import { cancelBooking } from "#contract/bookings.ts";
import { deleteProduct, type OwnProduct } from "#contract/products.ts";
import { useCall } from "#web/api/api.ts";
import { ConfirmCallButton } from "#web/api/CallButton.tsx";
import { paths } from "#web/paths.ts";
import { ActionMenu } from "#web/ui/ActionMenu.tsx";
import { DeleteButton } from "#web/ui/ConfirmButton.tsx";

type Deal = NonNullable<OwnProduct["deal"]>;

export default function ProductMenu({ product }: { product: OwnProduct }): ReactNode {
  const { deal, product_name } = product;
  return (
    // The key remounts the menu when the deal's state changes, which closes the menu.
    <ActionMenu key={deal?.state} of={product_name}>
      {deal ? <DealActions product={product} deal={deal} /> : <DeleteProduct product={product} />}
    </ActionMenu>
  );
}

function DealActions({ product, deal }: { product: OwnProduct; deal: Deal }) {
  const { bookingId, state, complaint } = deal;
  return (
    <>
      <Link to={`${paths.messages()}?deal=${bookingId}`}>Message the buyer</Link>
      {complaint && <Link to={paths.complaint(bookingId)}>See the complaint</Link>}
      {state === "held" && <EndHold product={product} deal={deal} />}
    </>
  );
}

function EndHold({ product: { product_name }, deal }: { product: OwnProduct; deal: Deal }) {
  return (
    <ConfirmCallButton
      look="danger"
      label={`End hold on ${product_name}`}
      title="End this hold?"
      message={`We'll tell ${deal.name}, and ${product_name} goes back on sale.`}
      call={cancelBooking}
      request={{ params: { id: deal.bookingId } }}
      success={`${product_name} is back on sale.`}
    >
      End hold
    </ConfirmCallButton>
  );
}

function DeleteProduct({ product: { _id, product_name } }: { product: OwnProduct }) {
  const remove = useCall(deleteProduct, {
    success: `Product ${product_name} deleted successfully`,
  });
  return (
    <DeleteButton
      name={product_name}
      busy={remove.isPending}
      onDelete={(done) => remove.mutate({ params: { id: _id } }, { onSettled: done })}
    />
  );
}
