import { Link } from "react-router";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";

/** My Products for a seller without listings. */
export default function NoProducts() {
  return (
    <Notice title="You haven't listed a laptop yet" drawing={<EmptyIllustration />}>
      <p>All you need is a photo, a price and an honest description.</p>
      <Link to={paths.addProduct()} className={buttonClass()}>
        Add Product
      </Link>
    </Notice>
  );
}
