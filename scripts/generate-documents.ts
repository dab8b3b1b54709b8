import { readFileSync, writeFileSync } from "node:fs";
import {
  bookingTransitions,
  hold,
  meetingTransitions,
  moveTransitions,
  newMeetingState,
  newOfferState,
  offerTransitions,
  payoutTransitions,
} from "#contract/life-cycle.ts";
import { specification } from "./specification.ts";

const documents = {
  "docs/life-cycle.md": lifeCycle,
  "docs/specification.md": specification,
};

/** With `--verify`, writes nothing and fails if a committed document differs. */
const verify = process.argv.includes("--verify");
for (const [path, generate] of Object.entries(documents)) {
  const current = readFileSync(path, "utf8");
  const generated = await generate(current);
  if (generated === current) continue;
  if (!verify) writeFileSync(path, generated);
  else {
    console.error(`${path} is out of date. Run: npm run docs`);
    process.exitCode = 1;
  }
}

function lifeCycle(): string {
  const transitions = Object.entries(bookingTransitions);
  const bookings = arrowsOf(bookingTransitions);
  const products = transitions
    .filter(([, { product }]) => product.from !== product.to)
    .map(([name, { product }]) => arrow(product.from, product.to, name));
  const meetings = Object.entries(meetingTransitions).flatMap(([name, { from, to }]) =>
    from.map((state) => arrow(state, to, name)),
  );
  return `# Life cycle

Generated from \`contract/life-cycle.ts\` by \`npm run docs\`. Every arrow is one transaction. A trigger refuses every other change of state.

## Booking
${diagram([arrow("[*]", hold.to, "hold"), ...bookings])}
## Product
${diagram([arrow("[*]", hold.product.from, "list"), arrow(hold.product.from, hold.product.to, "hold"), ...products])}
## Place and time of a handover
${diagram([arrow("[*]", newMeetingState, "propose"), ...meetings])}
## Movement of money

A refund, which always names its amount; money that an admin has sent the buyer another way; a transfer to the seller's account; or its reversal, of what they owe. A refund made in the provider's dashboard starts as it is reported. Only refunds can be pending or fail.
${diagram([
  arrow("[*]", "intended", "intend"),
  arrow("[*]", "made", "send"),
  ...["pending", "made", "failed"].map((state) => arrow("[*]", state, "report")),
  ...arrowsOf(moveTransitions),
])}
## Payout

From a seller's account at the card provider to their bank, as the provider reports it.
${diagram([arrow("[*]", "pending", "report"), ...arrowsOf(payoutTransitions)])}
## Offer
${diagram([arrow("[*]", newOfferState, "make"), ...arrowsOf(offerTransitions)])}`;
}

type Transitions = Record<string, { from: string | readonly string[]; to: string }>;

function arrowsOf(transitions: Transitions): string[] {
  return Object.entries(transitions).flatMap(([name, { from, to }]) =>
    [from].flat().map((state) => arrow(state, to, name)),
  );
}

function arrow(from: string, to: string, name: string): string {
  return `  ${from} --> ${to}: ${name}`;
}

function diagram(lines: string[]): string {
  return `\n\`\`\`mermaid\nstateDiagram-v2\n${lines.join("\n")}\n\`\`\`\n`;
}
