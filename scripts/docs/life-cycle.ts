import {
  bookingTransitions,
  hold,
  meetingTransitions,
  newMeetingState,
  newPaymentState,
  paymentTransitions,
} from "#contract/life-cycle.ts";

/** `docs/life-cycle.md`: the state diagrams of `contract/life-cycle.ts`. */
export function lifeCycle(): string {
  const transitions = Object.entries(bookingTransitions);
  const bookings = transitions.flatMap(([name, { from, to }]) =>
    from.map((state) => arrow(state, to, name)),
  );
  const products = transitions
    .filter(([, { product }]) => product.from !== product.to)
    .map(([name, { product }]) => arrow(product.from, product.to, name));
  const payments = Object.entries(paymentTransitions).map(([name, { from, to }]) =>
    arrow(from, to, name),
  );
  const firstStates = Object.values(newPaymentState).map((state) => arrow("[*]", state, "settle"));
  const meetings = Object.entries(meetingTransitions).flatMap(([name, { from, to }]) =>
    from.map((state) => arrow(state, to, name)),
  );
  return `# Life cycle

Generated from \`contract/life-cycle.ts\` by \`npm run docs\`. Every arrow is one transaction: a conditional update of the booking and its product, and a row in the audit log. A database trigger refuses every other change of state.

## Booking
${diagram([arrow("[*]", hold.to, "hold"), ...bookings])}
## Product
${diagram([arrow("[*]", hold.product.from, "list"), arrow(hold.product.from, hold.product.to, "hold"), ...products])}
## Place and time of a handover
${diagram([arrow("[*]", newMeetingState, "propose"), ...meetings])}
## Payment

A payment that arrives for a booking that can no longer be fulfilled starts as \`refund_due\`.
${diagram([...firstStates, ...payments])}`;
}

function arrow(from: string, to: string, name: string): string {
  return `  ${from} --> ${to}: ${name}`;
}

function diagram(lines: string[]): string {
  return `\n\`\`\`mermaid\nstateDiagram-v2\n${lines.join("\n")}\n\`\`\`\n`;
}
