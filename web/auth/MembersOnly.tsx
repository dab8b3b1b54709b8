import { type ReactNode, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { Spinner } from "../ui/Spinner.tsx";
import { requireMember } from "./guard.ts";
import { useSession } from "./session.ts";

/**
 * A part for members that is in the markup of every visitor. A stored token shows it before the
 * session is known; without a token, a spinner shows. Sends visitors to the login page. Throws if
 * the session can't be read.
 */
export function MembersOnly({ children }: { children: ReactNode }) {
  const isMember = useMember();
  return (
    <>
      {!isMember && (
        <div className="session-spinner needs-scripts">
          <Spinner />
        </div>
      )}
      <div className={isMember ? undefined : "for-members"}>{children}</div>
    </>
  );
}

function useMember(): boolean {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    requireMember(new Request(location.href)).catch((thrown: unknown) => {
      const login = thrown instanceof Response && thrown.headers.get("Location");
      if (login) void navigate(login, { replace: true });
      else setFailure(thrown);
    });
  }, [navigate]);
  const session = useSession();
  if (failure !== undefined) throw failure;
  return Boolean(session);
}
