import "./deal-progress.css";
import type { BookingState } from "#contract/life-cycle.ts";
import type { Meeting } from "#contract/meetings.ts";

type DealProgressProps = {
  deal: { state: BookingState; meeting: Meeting | null };
  /** `last`: the last step's name. `isOver`: whether the deal has reached it. */
  last: string;
  isOver: boolean;
};

/** Renders nothing for a deal that ended early. */
export function DealProgress({ deal, last, isOver }: DealProgressProps) {
  const at = stepOf(deal, isOver);
  if (at === undefined) return null;
  return (
    <ol className="deal-progress" aria-label="Progress">
      {["Held", "Paid", "Meeting set", "Handed over", last].map((step, index) => (
        <li
          key={step}
          data-reached={index <= at || undefined}
          aria-current={index === at ? "step" : undefined}
        >
          {step}
        </li>
      ))}
    </ol>
  );
}

function stepOf({ state, meeting }: DealProgressProps["deal"], isOver: boolean) {
  if (state === "held") return 0;
  if (state === "paid") return meeting?.state === "agreed" ? 2 : 1;
  if (state === "completed") return isOver ? 4 : 3;
  return undefined;
}
