import { useLocation } from "react-router";
import { paths } from "#web/paths.ts";
import { useFriendOffer } from "./FriendOffer.tsx";

/** Not on Sign up, where the form shows the discount. The page's end leaves room for the banner. */
export function InvitationBanner() {
  const offer = useFriendOffer();
  const { pathname } = useLocation();
  if (offer === undefined || pathname === paths.signUp()) return null;
  return (
    <aside aria-label="Your invitation" className="h-24 print:hidden">
      <p className="fixed inset-x-0 bottom-[var(--bar,0px)] z-10 border-line border-t bg-base-200 px-4 py-2 text-center text-sm">
        {offer}
      </p>
    </aside>
  );
}
