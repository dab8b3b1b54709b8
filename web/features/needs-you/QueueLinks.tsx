import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { readNeedsYou } from "#contract/needs-you.ts";
import { queryOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";

const queues = {
  messages: { name: "Reported Messages", to: paths.messages() },
  reviews: { name: "Reported Reviews", to: paths.reviews() },
  invitations: { name: "Invitations to Check", to: paths.invitations() },
};

/** Links with counts to the queues that have no entry in the menu. */
export function QueueLinks({ to }: { to: (keyof typeof queues)[] }) {
  const { data } = useQuery(queryOf(readNeedsYou, {}));
  return (
    <p className="flex flex-col gap-x-6 gap-y-2 sm:flex-row">
      {to.map((queue) => (
        <Link key={queue} to={queues[queue].to} className="link">
          {queues[queue].name}
          {data && ` (${data.queues[queue]})`}
        </Link>
      ))}
    </p>
  );
}
