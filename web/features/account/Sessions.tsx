import { useQuery } from "@tanstack/react-query";
import { endOtherSessions, endSession, listSessions, type Session } from "#contract/account.ts";
import { queryOf } from "#web/api/api.ts";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { Button } from "#web/ui/Button.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { ProfileSection } from "./ProfileSection.tsx";

export function Sessions() {
  const sessions = useQuery(queryOf(listSessions, {}));
  const endOthers = useConfirmedCall(endOtherSessions, {
    success: "You've been signed out everywhere else.",
  });
  return (
    <ProfileSection
      title="Where you're signed in"
      about="End any session you don't recognize or no longer use."
    >
      <QueryState query={sessions} skeleton={<div className="skeleton h-24" />}>
        {(all) => (
          <>
            <ul className="divide-y divide-line">
              {all.map((session) => (
                <SessionEntry key={session._id} session={session} />
              ))}
            </ul>
            {all.length > 1 && (
              <Button
                look="plain"
                className="self-start"
                busy={endOthers.isPending}
                onClick={() => endOthers.mutate({})}
              >
                End all other sessions
              </Button>
            )}
          </>
        )}
      </QueryState>
      {endOthers.confirmation}
    </ProfileSection>
  );
}

function SessionEntry({ session: { _id, device, lastSeenAt, current } }: { session: Session }) {
  const end = useConfirmedCall(endSession, { success: `${device} has been signed out.` });
  const seen = formatDateTime(lastSeenAt);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div>
        <p className="font-medium">{device}</p>
        <p className="text-muted text-sm">
          {current ? "This session" : <time dateTime={lastSeenAt}>{`Last seen ${seen}`}</time>}
        </p>
      </div>
      {!current && (
        <Button
          look="plain"
          size="small"
          busy={end.isPending}
          aria-label={`End session: ${device}, last seen ${seen}`}
          onClick={() => end.mutate({ params: { id: _id } })}
        >
          End
        </Button>
      )}
      {end.confirmation}
    </li>
  );
}
