import { type Condition, conditions } from "#contract/products.ts";

/** A condition as one to three bars, shown beside the word. */
export function ConditionMeter({ condition }: { condition: Condition }) {
  const filled = conditions.length - conditions.indexOf(condition);
  return <span className="condition-meter" data-filled={filled} aria-hidden="true" />;
}
