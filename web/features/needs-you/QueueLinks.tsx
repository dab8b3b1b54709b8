import { useQuery } from "@tanstack/react-query";
import { readNeedsYou } from "#contract/needs-you.ts";
import { queryOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { TextLink } from "#web/ui/Link.tsx";

const queues = {
  messages: ["Reported Messages", paths.messages()],
  reviews: ["Reported Reviews", paths.reviews()],
  invitations: ["Invitations to Check", paths.invitations()],
} as const;

/** Links with counts to the queues that have no entry in the menu. */
export function QueueLinks({ to }: { to: (keyof typeof queues)[] }) {
  const { data } = useQuery(queryOf(readNeedsYou, {}));
  return (
    <p className="flex flex-col gap-x-6 gap-y-2 sm:flex-row">
      {to.map((queue) => {
        const [name, path] = queues[queue];
        return (
          <TextLink key={queue} to={path}>
            {name}
            {data && ` (${data.queues[queue]})`}
          </TextLink>
        );
      })}
    </p>
  );
}
