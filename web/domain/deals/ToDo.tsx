import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listOffers } from "#contract/offers.ts";
import { readPayoutAccount } from "#contract/payouts.ts";
import { formatPrice } from "#contract/price.ts";
import { browserApi } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { formatDateTime } from "#web/ui/format.ts";

/** `task`: the line in the to-do list; absent if nobody is waiting for the step. */
export type NextStep = { label: string; to: string; task?: string };

/** The member's tasks outside their deals; undefined while loading. */
export function useOpenTasks(role: "buyer" | "seller"): NextStep[] | undefined {
  const { data = [], isLoading } = useQuery({
    queryKey: ["open tasks", role],
    queryFn: () => readOpenTasks(role),
    meta: { personal: true, reads: ["offers", "products", "payouts", "bookings", "payments"] },
    retry: false,
  });
  return isLoading ? undefined : data;
}

/** Reads which offers a member must answer, and whether a seller must connect a bank to be paid. */
async function readOpenTasks(role: "buyer" | "seller"): Promise<NextStep[]> {
  const [offers, account] = await Promise.all([
    browserApi(listOffers, { query: { open: "true" } }),
    role === "seller" ? browserApi(readPayoutAccount, {}) : undefined,
  ]);
  const tasks = offers.body
    .filter((offer) => offer.role === role && !offer.mine && !offer.belowFloor)
    .map(({ price, product, expiresAt }) => {
      const what = `the offer of ${formatPrice(price)} for ${product.product_name}`;
      const task = `Answer ${what} by ${formatDateTime(expiresAt)}`;
      return { label: "Answer", to: paths.offers(), task };
    });
  const { waiting = 0, canReceive } = account?.body ?? {};
  if (waiting === 0 || canReceive) return tasks;
  const task = `Connect a bank to get your ${formatPrice(waiting)}`;
  return [...tasks, { label: "Connect", to: paths.payouts(), task }];
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
