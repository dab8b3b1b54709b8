import type { Order } from "./booking-orders.mjs";

export function openVerb(
  url: string,
  connections: number,
): { book: (order: Order) => Promise<void>; close: () => Promise<void> };
