import { useLocation } from "react-router";
import { paths } from "#web/paths.ts";
import { useFriendOffer } from "./FriendOffer.tsx";

const look = "border-line border-t bg-base-200 px-4 py-2 text-center text-sm print:hidden";

/**
 * Shows the friend's discount at the bottom of the window, on every page but Sign up, whose form
 * shows it. An invisible copy keeps the end of the page above the banner.
 */
export default function InvitationBanner() {
  const offer = useFriendOffer();
  const { pathname } = useLocation();
  if (offer === undefined || pathname === paths.signUp()) return null;
  return (
    <aside aria-label="Your invitation">
      <p aria-hidden="true" className={`invisible ${look}`}>
        {offer}
      </p>
      <p className={`fixed inset-x-0 bottom-[var(--bar,0px)] z-10 ${look}`}>{offer}</p>
    </aside>
  );
}
