import { useQuery } from "@tanstack/react-query";
import { type NeedsYou, type NeedsYouItem, readNeedsYou } from "#contract/needs-you.ts";
import { firstStepsPath } from "#web/admin-paths.ts";
import { queryOf } from "#web/api/api.ts";
import { ToDo } from "#web/domain/deals/ToDo.tsx";
import { paths } from "#web/paths.ts";
import { formatCappedCount, formatShortDay } from "#web/ui/format.ts";
import { QueryState } from "#web/ui/QueryState.tsx";

export function AdminToDo() {
  const found = useQuery(queryOf(readNeedsYou, {}));
  return (
    <QueryState query={found} skeleton={<div className="skeleton mb-6 h-24 rounded-box" />}>
      {(answer) => {
        const steps = stepsOf(answer).filter(({ count }) => count > 0);
        if (steps.length > 0) return <ToDo steps={steps} />;
        return <p className="mb-6 text-muted">Nothing waits for you.</p>;
      }}
    </QueryState>
  );
}

function stepsOf({ items, queues }: NeedsYou) {
  const complaints = items.filter(({ reason }) => reason === "complaint");
  const step = (to: string, count: number, [one, many]: [string, string], by = "") => ({
    to,
    count,
    task: `${formatCappedCount(count)} ${count === 1 ? one : many}${by}`,
  });
  const { reports, messages, reviews, listings, invitations, problems, firstSteps } = queues;
  return [
    step(firstStepsPath, firstSteps, ["first step to take", "first steps to take"]),
    step(paths.needsYou(), items.length, ["thing needs you", "things need you"], firstBy(items)),
    step(
      paths.complaints(),
      complaints.length,
      ["complaint to decide", "complaints to decide"],
      firstBy(complaints),
    ),
    step(paths.health(), problems, ["problem with the shop", "problems with the shop"]),
    step(paths.reportedItems(), reports, ["report about a laptop", "reports about laptops"]),
    step(paths.messages(), messages, ["reported conversation", "reported conversations"]),
    step(paths.reviews(), reviews, ["reported review", "reported reviews"]),
    step(paths.listingsToCheck(), listings, ["listing to check", "listings to check"]),
    step(paths.invitations(), invitations, ["invitation to check", "invitations to check"]),
  ];
}

/** The items are sorted by deadline, so the first is the earliest. */
function firstBy([first]: NeedsYouItem[]): string {
  return first?.deadline ? `, the first by ${formatShortDay(first.deadline)}` : "";
}
