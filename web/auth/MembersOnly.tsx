import { type ReactNode, useState } from "react";
import { Navigate, useLocation } from "react-router";
import { paths } from "../paths.ts";
import { Spinner } from "../ui/Spinner.tsx";
import { useSignedIn } from "./session.ts";

/**
 * Members-only content, which every visitor's markup contains. A stored token shows it before the
 * session is known; without a token, a spinner shows. Sends visitors to the login page. The content
 * stays if the session ends later, because signing out leaves the page by itself.
 */
export function MembersOnly({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation();
  const isSignedIn = useSignedIn();
  const [wasMember, setWasMember] = useState(false);
  if (isSignedIn && !wasMember) setWasMember(true);
  if (isSignedIn === false && !wasMember)
    return <Navigate replace to={paths.login(`${pathname}${search}${hash}`)} />;
  return (
    <>
      {!wasMember && (
        <div className="session-spinner needs-scripts">
          <Spinner />
        </div>
      )}
      <div className={wasMember ? undefined : "for-members"}>{children}</div>
    </>
  );
}
