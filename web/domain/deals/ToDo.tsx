import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

/** `task`: the step's line in the to-do list; absent if the list leaves the step out. */
export type NextStep = { label: string; to: string; task?: string };

/** The member's tasks outside their deals, loaded on demand; undefined while loading. */
export function useOpenTasks(role: "buyer" | "seller"): NextStep[] | undefined {
  const { data = [], isLoading } = useQuery({
    queryKey: ["open tasks", role],
    queryFn: async () => (await import("./read-open-tasks.ts")).readOpenTasks(role),
    meta: { personal: true, reads: ["offers", "products", "payouts", "bookings", "payments"] },
    retry: false,
  });
  return isLoading ? undefined : data;
}

type ToDoProps = { steps: (Pick<NextStep, "to" | "task"> | undefined)[] };

export function ToDo({ steps }: ToDoProps) {
  const tasks = steps.flatMap((step) => (step?.task ? [step] : []));
  if (tasks.length === 0) return null;
  return (
    <section
      aria-labelledby="to-do"
      className="mb-6 rounded-box border border-line bg-base-100 p-4"
    >
      <h2 id="to-do" className="mb-1 font-semibold">
        To do
      </h2>
      <ul>
        {tasks.map(({ to, task }) => (
          <li key={`${to} ${task}`}>
            <Link to={to} className="link user-text inline-block py-1">
              {task}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
