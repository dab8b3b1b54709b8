import { Link } from "react-router";
import { useSession } from "#web/auth/session.ts";
import { dashboardPath, paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { StartSelling } from "./StartSelling.tsx";

/** Shown to members who open a page for another role. */
export default function WrongRole({ role }: { role: "seller" | "admin" }) {
  const session = useSession();
  const whose = role === "admin" ? "admins" : "sellers";
  return (
    <div className="flex flex-col items-center gap-6 py-12 text-center">
      <h1 className="text-title">This page is for {whose}</h1>
      <p className="max-w-prose text-muted">
        You're signed in{session ? ` as ${session.user.email}` : ""}, but only {whose} can open this
        page.
      </p>
      {role === "seller" && session && !session.isAdmin && <StartSelling />}
      <Link
        to={session ? dashboardPath(session) : paths.home()}
        className={buttonClass({ look: "plain" })}
      >
        Go to your dashboard
      </Link>
    </div>
  );
}
