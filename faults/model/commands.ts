import fc from "fast-check";
import { bookProduct, cancelBooking } from "#contract/bookings.ts";
import { confirmHandover } from "#contract/handover.ts";
import { deleteUser } from "#contract/members.ts";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import { deleteProduct, toggleAdvertise } from "#contract/products.ts";
import { refundBooking } from "#contract/refunds.ts";
import { reportProduct } from "#contract/reports.ts";
import { expireHold } from "#server/features/deals/end-hold.ts";
import { reconcile } from "#server/features/money/reconcile.ts";
import { refundPayment } from "#server/features/money/send-refund.ts";
import { settleIntent } from "#server/features/money/webhook-events.ts";
import { orderFor, paymentFor, price } from "#server/testing/marketplace.ts";
import * as model from "./model.ts";
import { compare } from "./observed-state.ts";
import { tell, type World } from "./real-system.ts";

type Model = model.Model;
type Step = (m: Model, world: World) => Promise<{ told: model.Told; expected: model.Told }>;
type Command = fc.AsyncCommand<Model, World>;

/** Returns a command that throws if the response or the data shown differs from the model. */
function command(name: string, check: (m: Model) => boolean, step: Step): Command {
  return {
    check,
    toString: () => name,
    async run(m, world) {
      const { told, expected } = await step(m, world);
      if (String(told) !== String(expected))
        throw new Error(`${name} was answered ${told} instead of ${expected}.`);
      await compare(m, world);
      world.steps += 1;
    },
  };
}

const always = () => true;
const done: model.Told = [200];
const nth = model.at;

function acknowledge({ acknowledged }: World, told: model.Told, verb: string, id: unknown): void {
  if (told[0] < 300) acknowledged.push({ verb, id: String(id) });
}

const buyer = fc.nat({ max: 2 });
const product = fc.nat({ max: 6 });
/** Counts back from the newest booking, because new bookings have more transitions left. */
const recent = fc.nat({ max: 3 });
const mostlyRight = fc.nat({ max: 9 }).map((one) => one > 0);
const found = (m: Model, back: number) => m.bookings.length - 1 - back;
const has = (back: number) => (m: Model) => found(m, back) >= 0;
const priceOf = (right: boolean) => (right ? price : price - 1);

const books = fc
  .record({ who: buyer, what: product, right: mostlyRight })
  .map(({ who, what, right }) =>
    command(
      `buyer ${who} books product ${what}${right ? "" : " at another price"}`,
      always,
      async (m, world) => {
        const known = m.bookings.length;
        const expected = model.book(m, who, what, right);
        const body = { ...orderFor(nth(world.products, what)), price: priceOf(right) };
        const { told, body: answer } = await tell(nth(world.buyers, who), bookProduct, { body });
        const id = String(answer.insertedId);
        if (m.bookings.length > known) world.bookings.push({ id, intent: "" });
        acknowledge(world, told, "hold", id);
        return { told, expected };
      },
    ),
  );

const cancels = fc
  .record({ who: fc.oneof(buyer, fc.constant("seller" as const)), which: recent })
  .map(({ who, which }) =>
    command(
      `${who === "seller" ? who : `buyer ${who}`} cancels booking -${which}`,
      has(which),
      async (m, world) => {
        const index = found(m, which);
        const { id } = nth(world.bookings, index);
        const person = who === "seller" ? world.seller : nth(world.buyers, who);
        const expected = model.cancel(m, nth(m.bookings, index), who);
        const { told } = await tell(person, cancelBooking, { params: { id } });
        acknowledge(world, told, "cancel", id);
        return { told, expected };
      },
    ),
  );

const asks = fc
  .record({ who: buyer, which: recent, right: mostlyRight })
  .map(({ who, which, right }) =>
    command(`buyer ${who} is about to pay for booking -${which}`, has(which), async (m, world) => {
      const index = found(m, which);
      const booking = nth(world.bookings, index);
      const expected = model.askForIntent(m, who, nth(m.bookings, index), right);
      const body = { price: priceOf(right), bookingId: booking.id };
      const { told, body: answer } = await tell(nth(world.buyers, who), createPaymentIntent, {
        body,
      });
      if (told[0] === 200) booking.intent = String(answer.clientSecret).split("_secret_")[0] ?? "";
      return { told, expected };
    }),
  );

const asksForTheOne = buyer.map((who) =>
  command(`buyer ${who} is about to pay for their one booking`, always, async (m, world) => {
    const [one, another] = model.unpaidOf(m, who);
    const several: model.Told = [409, "BOOKING_NOT_PAYABLE"];
    const expected = another && !m.gone.has(who) ? several : model.askForIntent(m, who, one, true);
    const { told, body } = await tell(nth(world.buyers, who), createPaymentIntent, {
      body: { price },
    });
    if (one && told[0] === 200)
      nth(world.bookings, m.bookings.indexOf(one)).intent =
        String(body.clientSecret).split("_secret_")[0] ?? "";
    return { told, expected };
  }),
);

const pays = fc.record({ which: recent, good: mostlyRight }).map(({ which, good }) => {
  const open = (m: Model) => m.bookings[found(m, which)]?.intent === "open";
  return command(
    `booking -${which} is paid by ${good ? "a good" : "a declined"} card`,
    open,
    async (m, world) => {
      const index = found(m, which);
      const card = good ? "pm_card_visa" : "pm_card_visa_chargeDeclined";
      const said = await world.desk
        .pay(nth(world.bookings, index).intent, card)
        .catch(() => "declined");
      if (good) nth(m.bookings, index).intent = "paid";
      const expected = good ? "succeeded" : "declined";
      return { told: [0, said], expected: [0, expected] };
    },
  );
});

const records = fc.record({ who: buyer, which: recent }).map(({ who, which }) =>
  command(`buyer ${who} says that booking -${which} is paid`, has(which), async (m, world) => {
    const index = found(m, which);
    const { id, intent } = nth(world.bookings, index);
    const expected = model.recordPayment(m, who, nth(m.bookings, index));
    const body = paymentFor({ intent: intent || "pi_nothing", booking: id });
    const { told, body: answer } = await tell(nth(world.buyers, who), recordPayment, { body });
    acknowledge(world, told, "settle", answer.insertedId);
    return { told, expected };
  }),
);

const handsOver = fc.record({ who: buyer, which: recent }).map(({ who, which }) =>
  command(`buyer ${who} has been handed booking -${which}`, has(which), async (m, world) => {
    const index = found(m, which);
    const { id } = nth(world.bookings, index);
    const expected = model.handOver(m, who, nth(m.bookings, index));
    const { told } = await tell(nth(world.buyers, who), confirmHandover, { body: { id } });
    acknowledge(world, told, "complete", id);
    return { told, expected };
  }),
);

const refunds = recent.map((which) =>
  command(`the admin gives back the money of booking -${which}`, has(which), async (m, world) => {
    const index = found(m, which);
    const { id } = nth(world.bookings, index);
    const expected = model.refund(m, nth(m.bookings, index));
    const { told } = await tell(world.admin, refundBooking, { body: { bookingId: id } });
    acknowledge(world, told, "refund", id);
    return { told, expected };
  }),
);

const timePasses = fc.constantFrom(10, model.holdMinutes).map((minutes) =>
  command(`${minutes} minutes pass`, always, async (m, { shop }) => {
    shop.clock.advance(minutes);
    m.now += minutes;
    return { told: done, expected: done };
  }),
);

const newsComes = recent.map((which) => {
  const known = (m: Model) => (m.bookings[found(m, which)]?.intent ?? "none") !== "none";
  return command(`the provider's news of booking -${which} comes`, known, async (m, world) => {
    const index = found(m, which);
    model.settle(m, nth(m.bookings, index));
    await settleIntent(world.shop.deps, nth(world.bookings, index).intent);
    return { told: done, expected: done };
  });
});

const holdRunsOut = recent.map((which) => {
  const due = (m: Model) => (m.bookings[found(m, which)]?.heldUntil ?? m.now + 1) <= m.now;
  return command(`the job of booking -${which}'s hold is done`, due, async (m, world) => {
    const index = found(m, which);
    model.endHold(m, nth(m.bookings, index), "expired");
    await expireHold(world.shop.deps, nth(world.bookings, index).id);
    return { told: done, expected: done };
  });
});

const reconciles = fc.constant(
  command("the reconciling job is done", always, async (m, { shop }) => {
    model.reconcile(m);
    await reconcile(shop.deps);
    return { told: done, expected: done };
  }),
);

const givesBack = fc.constant(
  command("the refunding jobs are done", always, async (m, { shop }) => {
    for (const one of m.bookings) if (one.money === "due") one.money = "back";
    const due = shop.deps.db.selectFrom("payments").select("id").where("state", "=", "refund_due");
    for (const { id } of await due.execute()) await refundPayment(shop.deps, id);
    return { told: done, expected: done };
  }),
);

const deletesProduct = fc
  .record({ what: product, by: fc.constantFrom("seller" as const, "admin" as const) })
  .map(({ what, by }) =>
    command(`the ${by} deletes product ${what}`, always, async (m, world) => {
      const id = nth(world.products, what);
      const expected = model.deleteProduct(m, nth(m.products, what), by);
      const { told } = await tell(world[by], deleteProduct, { params: { id } });
      acknowledge(world, told, "delete", id);
      return { told, expected };
    }),
  );

const advertises = fc.record({ what: product, current: fc.boolean() }).map(({ what, current }) =>
  command(`the seller advertises product ${what}, ${current}`, always, async (m, world) => {
    const id = nth(world.products, what);
    const expected = model.advertise(m, nth(m.products, what), current);
    const { told } = await tell(world.seller, toggleAdvertise, {
      body: { id, advertiseStatus: current },
    });
    return { told, expected };
  }),
);

const deletesBuyer = buyer.map((who) =>
  command(`the admin deletes buyer ${who}`, always, async (m, world) => {
    const { id } = nth(world.buyers, who);
    const expected = model.deleteBuyer(m, who);
    const { told } = await tell(world.admin, deleteUser, { params: { id } });
    acknowledge(world, told, "delete", id);
    return { told, expected };
  }),
);

const deletesSeller = fc.constant(
  command(
    "the admin deletes the seller",
    (m) => m.bookings.length > 4,
    async (m, world) => {
      const { id } = world.seller;
      const expected = model.deleteSeller(m);
      const { told } = await tell(world.admin, deleteUser, { params: { id } });
      acknowledge(world, told, "delete", id);
      return { told, expected };
    },
  ),
);

const reports = fc.record({ who: buyer, what: product }).map(({ who, what }) =>
  command(`buyer ${who} reports product ${what}`, always, async (m, world) => {
    const body = {
      comment: "Not as described.",
      reportProduct: { _id: nth(world.products, what) },
    };
    const expected = model.report(m, who, what);
    const { told } = await tell(nth(world.buyers, who), reportProduct, { body });
    return { told, expected };
  }),
);

/** Frequent commands are listed several times. */
export const commands = [
  books,
  books,
  books,
  cancels,
  asks,
  asks,
  asks,
  asksForTheOne,
  pays,
  pays,
  pays,
  records,
  records,
  handsOver,
  refunds,
  timePasses,
  newsComes,
  holdRunsOut,
  reconciles,
  givesBack,
  deletesProduct,
  advertises,
  deletesBuyer,
  deletesSeller,
  reports,
];
