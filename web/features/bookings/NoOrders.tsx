import { Link } from "react-router";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Notice } from "#web/ui/Notice.tsx";

/** The notice for sellers, who can become buyers too, and for admins, who can't. */
export default function NoOrders() {
  const { text, to, label } = useSession()?.isAdmin ? forAdmins : forSellers;
  return (
    <Notice title="You have no orders" drawing>
      <p>{text}</p>
      <Link to={to} className={buttonClass()}>
        {label}
      </Link>
    </Notice>
  );
}

const forAdmins = {
  text: "Admins can't book laptops.",
  to: paths.allSellers(),
  label: "Go to All Sellers",
};

const forSellers = {
  text: "Only buyers can book laptops. You can become one in your Profile.",
  to: paths.profile(),
  label: "Go to Profile",
};
