import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { acceptStaffInvitation } from "#contract/staff.ts";
import { useCall } from "#web/api/api.ts";
import { sessionQuery, useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { toast } from "#web/ui/toast.ts";

/** Accepts a staff invitation. Opening the link isn't enough: mail scanners open links. */
export default function JoinStaff({ token }: { token: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const email = useSession()?.user.email;
  const join = useCall(acceptStaffInvitation, {
    onError: () => {},
    onSuccess: async () => {
      // The dashboard reads the new role from the session.
      await queries.query({ ...sessionQuery, staleTime: 0 });
      toast.success("You're on the staff now.");
      await navigate(paths.overview(), { replace: true });
    },
  });
  return (
    <div className="flex max-w-prose flex-col items-start gap-4">
      <p>
        You're invited to help run the shop. Admins can't buy or sell: use another account for that.
      </p>
      {email && <p className="text-muted">You're signed in as {email}.</p>}
      <FormMessage message={join.error?.message} />
      <Button size="large" busy={join.isPending} onClick={() => join.mutate({ body: { token } })}>
        Join the staff
      </Button>
    </div>
  );
}
