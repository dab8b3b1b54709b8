import { maxUnpaidHolds } from "#contract/bookings.ts";
import { type BookingState, liveBookingStates, type SalesStatus } from "#contract/life-cycle.ts";

export type Told = readonly [status: number, code?: string];

export type ModelBooking = {
  buyer: number;
  product: number;
  state: BookingState;
  /** Minutes on the model's clock. */
  heldUntil: number;
  intent: "none" | "open" | "paid" | "cancelled";
  money: "none" | "kept" | "due" | "back";
};

export type ModelProduct = { status: SalesStatus; advertised: boolean; deleted: boolean };

export type Model = {
  now: number;
  products: ModelProduct[];
  bookings: ModelBooking[];
  /** Indexes of the deleted buyers. */
  gone: Set<number>;
  sellerGone: boolean;
  /** Open reports, each as `buyer product`. */
  reports: Set<string>;
};

export const holdMinutes = 1_440;

const refused = {
  notSignedIn: [401, "NOT_SIGNED_IN"],
  notFound: [404, "NOT_FOUND"],
  notPayable: [409, "BOOKING_NOT_PAYABLE"],
  notConfirmed: [409, "PAYMENT_NOT_CONFIRMED"],
  stale: [409, "STALE"],
  inUse: [409, "IN_USE"],
} as const;

export function newModel(products: number): Model {
  const product = (): ModelProduct => ({ status: "available", advertised: false, deleted: false });
  return {
    now: 0,
    products: Array.from({ length: products }, product),
    bookings: [],
    gone: new Set(),
    sellerGone: false,
    reports: new Set(),
  };
}

export function isLive({ state }: Pick<ModelBooking, "state">): boolean {
  return liveBookingStates.some((live) => live === state);
}

export function at<T>(things: T[], index: number): T {
  const thing = things[index];
  if (thing === undefined) throw new Error(`There is no number ${index}.`);
  return thing;
}

export function isOverdue({ now }: Model, { state, heldUntil }: ModelBooking): boolean {
  return state === "held" && heldUntil <= now;
}

export function book(model: Model, buyer: number, product: number, rightPrice: boolean): Told {
  if (model.gone.has(buyer)) return refused.notSignedIn;
  const { bookings } = model;
  const overdue = bookings.find((one) => one.product === product && isOverdue(model, one));
  if (overdue) endHold(model, overdue, "expired");
  const live = bookings.find((one) => one.product === product && isLive(one));
  if (live && live.buyer !== buyer) return [409, "PRODUCT_TAKEN"];
  const own = bookings.filter((one) => one.buyer === buyer);
  if (live) return [200];
  const holds = own.filter((one) => one.state === "held" && !isOverdue(model, one));
  if (holds.length >= maxUnpaidHolds) return [409, "TOO_MANY_HOLDS"];
  const wanted = at(model.products, product);
  if (wanted.deleted || model.sellerGone) return refused.notFound;
  if (wanted.status !== "available") return [409, "PRODUCT_TAKEN"];
  if (!rightPrice) return [409, "PRICE_CHANGED"];
  wanted.status = "booked";
  const heldUntil = model.now + holdMinutes;
  bookings.push({ buyer, product, state: "held", heldUntil, intent: "none", money: "none" });
  return [201];
}

/** Ends a hold, or settles its payment if the card was charged. Returns whether the hold ended. */
export function endHold(
  model: Model,
  booking: ModelBooking,
  state: "expired" | "cancelled",
): boolean {
  if (booking.state !== "held") return false;
  if (booking.intent === "paid") {
    settle(model, booking);
    return false;
  }
  if (booking.intent === "open") booking.intent = "cancelled";
  booking.state = state;
  at(model.products, booking.product).status = "available";
  return true;
}

export function settle(model: Model, booking: ModelBooking): void {
  if (booking.intent !== "paid" || booking.money !== "none") return;
  booking.state = "paid";
  booking.money = "kept";
  at(model.products, booking.product).status = "sold";
}

export function cancel(model: Model, booking: ModelBooking, who: number | "seller"): Told {
  if (who === "seller" ? model.sellerGone : model.gone.has(who)) return refused.notSignedIn;
  if (who !== "seller" && who !== booking.buyer) return refused.notFound;
  return endHold(model, booking, "cancelled") ? [200] : refused.notPayable;
}

export function askForIntent(
  model: Model,
  buyer: number,
  booking: ModelBooking | undefined,
  rightPrice: boolean,
): Told {
  if (model.gone.has(buyer)) return refused.notSignedIn;
  if (booking?.buyer !== buyer) return refused.notFound;
  if (booking.state !== "held" || isOverdue(model, booking)) return refused.notPayable;
  if (!rightPrice) return [409, "PRICE_CHANGED"];
  if (booking.intent === "paid") {
    settle(model, booking);
    return refused.notPayable;
  }
  booking.intent = "open";
  return [200];
}

export function unpaidOf(model: Model, buyer: number): ModelBooking[] {
  const { bookings } = model;
  return bookings.filter(
    (one) => one.buyer === buyer && one.state === "held" && !isOverdue(model, one),
  );
}

export function recordPayment(model: Model, buyer: number, booking: ModelBooking): Told {
  if (model.gone.has(buyer)) return refused.notSignedIn;
  if (booking.buyer !== buyer) return refused.notFound;
  if (booking.intent !== "paid") return refused.notConfirmed;
  if (booking.money === "due" || booking.money === "back") return refused.notPayable;
  const repeated = booking.money === "kept";
  settle(model, booking);
  return [repeated ? 200 : 201];
}

export function handOver(model: Model, buyer: number, booking: ModelBooking): Told {
  if (model.gone.has(buyer)) return refused.notSignedIn;
  if (booking.buyer !== buyer) return refused.notFound;
  if (booking.state !== "paid") return refused.stale;
  booking.state = "completed";
  return [200];
}

export function refund(model: Model, booking: ModelBooking): Told {
  if (booking.state === "refunded") return [200];
  if (booking.state !== "paid") return refused.stale;
  booking.state = "refunded";
  booking.money = "due";
  at(model.products, booking.product).status = "available";
  return [201];
}

export function reconcile(model: Model): void {
  for (const booking of model.bookings) {
    if (booking.state === "held") settle(model, booking);
    if (isOverdue(model, booking)) endHold(model, booking, "expired");
  }
}

export function deleteProduct(model: Model, product: ModelProduct, by: "seller" | "admin"): Told {
  if (by === "seller" && model.sellerGone) return refused.notSignedIn;
  if (product.deleted) return refused.notFound;
  const held = model.bookings.find(
    (one) => at(model.products, one.product) === product && isOverdue(model, one),
  );
  if (held) endHold(model, held, "expired");
  if (product.status !== "available") return refused.inUse;
  Object.assign(product, { deleted: true, advertised: false });
  return [200];
}

export function advertise(model: Model, product: ModelProduct, current: boolean): Told {
  if (model.sellerGone) return refused.notSignedIn;
  if (product.deleted) return refused.notFound;
  if (product.status !== "available" || product.advertised !== current) return refused.stale;
  product.advertised = !current;
  return [200];
}

/** Ends the holds, unless a deal is paid. Returns false if a deal was paid or a hold is charged. */
function endDeals(model: Model, deals: ModelBooking[]): boolean {
  if (deals.some(isPaidFor)) return false;
  for (const deal of deals) endHold(model, deal, "cancelled");
  return !deals.some(isPaidFor);
}

const isPaidFor = ({ state }: ModelBooking) => state === "paid";

export function deleteBuyer(model: Model, buyer: number): Told {
  if (model.gone.has(buyer)) return refused.notFound;
  const deals = model.bookings.filter((one) => one.buyer === buyer);
  if (!endDeals(model, deals)) return refused.inUse;
  model.gone.add(buyer);
  return [200];
}

export function deleteSeller(model: Model): Told {
  if (model.sellerGone) return refused.notFound;
  if (!endDeals(model, model.bookings)) return refused.inUse;
  model.sellerGone = true;
  for (const product of model.products) {
    if (product.status === "available")
      Object.assign(product, { deleted: true, advertised: false });
  }
  return [200];
}

export function report(model: Model, buyer: number, product: number): Told {
  if (model.gone.has(buyer)) return refused.notSignedIn;
  if (at(model.products, product).deleted) return refused.notFound;
  const key = `${buyer} ${product}`;
  if (model.reports.has(key)) return [409, "ALREADY_REPORTED"];
  model.reports.add(key);
  return [201];
}
