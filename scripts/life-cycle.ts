import { readFileSync, writeFileSync } from "node:fs";
import {
  bookingTransitions,
  hold,
  newPaymentState,
  paymentTransitions,
} from "#contract/life-cycle.ts";

/**
 * Draws `docs/life-cycle.md` from `contract/life-cycle.ts`; with `--verify` it writes nothing and fails
 * where the committed file differs.
 */
const path = "docs/life-cycle.md";
const drawn = draw();
if (!process.argv.includes("--verify")) writeFileSync(path, drawn);
else if (readFileSync(path, "utf8") !== drawn) {
  console.error(`${path} is not what contract/life-cycle.ts says. Run: npm run life-cycle`);
  process.exitCode = 1;
}

function draw(): string {
  const moves = Object.entries(bookingTransitions);
  const bookings = moves.flatMap(([name, { from, to }]) =>
    from.map((state) => arrow(state, to, name)),
  );
  const products = moves
    .filter(([, { product }]) => product.from !== product.to)
    .map(([name, { product }]) => arrow(product.from, product.to, name));
  const payments = Object.entries(paymentTransitions).map(([name, { from, to }]) =>
    arrow(from, to, name),
  );
  const beginnings = Object.values(newPaymentState).map((state) => arrow("[*]", state, "settle"));
  return `# The life cycle

Drawn from \`contract/life-cycle.ts\` by \`npm run life-cycle\`. Every arrow is one transaction: a conditional update of the booking and its product, and an audit row. The database itself refuses every change that is not drawn here (\`state_transitions\`, a table of the same arrows).

## A booking
${diagram([arrow("[*]", hold.to, "hold"), ...bookings])}
## Its product
${diagram([arrow("[*]", hold.product.from, "list"), arrow(hold.product.from, hold.product.to, "hold"), ...products])}
## Its money
Money for a booking that can no longer be honoured is recorded as \`refund_due\` at once.
${diagram([...beginnings, ...payments])}`;
}

function arrow(from: string, to: string, name: string): string {
  return `  ${from} --> ${to}: ${name}`;
}

function diagram(lines: string[]): string {
  return `\n\`\`\`mermaid\nstateDiagram-v2\n${lines.join("\n")}\n\`\`\`\n`;
}
