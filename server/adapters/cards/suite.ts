import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type CardsUnderTest, testSellerPayouts } from "./payouts-suite.ts";

function orderOf(bookingId: string) {
  return { bookingId, amountCents: 64_000, currency: "usd", email: "buyer@example.com" };
}

export function testCards(get: () => CardsUnderTest): void {
  const open = async (bookingId: string = randomUUID()) =>
    await get().cards.openIntent(orderOf(bookingId));

  describe("payment intents", () => {
    test("repeated and concurrent requests for a booking return the same intent", async () => {
      const bookingId = randomUUID();
      const [first, second] = await Promise.all([open(bookingId), open(bookingId)]);
      expect(second.id).toBe(first.id);
      expect((await open(bookingId)).id).toBe(first.id);
      expect(first).toMatchObject({ status: "open", amountCents: 64_000, currency: "usd" });
      expect(first).toMatchObject({ bookingId, refundedCents: 0 });
      expect(first.clientSecret).toContain("_secret_");
    });

    test("an intent stays open after a declined card, and succeeds when the buyer pays", async () => {
      const { cards, pay } = get();
      const { id } = await open();
      await pay(id, "declined");
      expect(await cards.findIntent(id)).toMatchObject({ status: "open" });
      await pay(id, "accepted");
      expect(await cards.findIntent(id)).toMatchObject({ id, status: "succeeded" });
    });

    test("an open intent can be canceled, but a paid intent can't", async () => {
      const { cards, pay } = get();
      const [unpaid, paid] = [await open(), await open()];
      await pay(paid.id, "accepted");
      expect(await cards.cancelIntent(unpaid.id)).toMatchObject({ status: "cancelled" });
      expect(await cards.cancelIntent(unpaid.id)).toMatchObject({ status: "cancelled" });
      expect(await cards.cancelIntent(paid.id)).toMatchObject({ status: "succeeded" });
    });

    test("an intent unknown to the provider is returned as canceled", async () => {
      const { cards } = get();
      const gone = { id: "pi_unknown", status: "cancelled", bookingId: undefined };
      expect(await cards.findIntent("pi_unknown")).toMatchObject(gone);
      expect(await cards.cancelIntent("pi_unknown")).toMatchObject(gone);
    });
  });

  test("a payment is refunded only once, even if the refund is requested repeatedly with the same key", async () => {
    const { cards, pay, refundsOf } = get();
    const { id } = await open();
    await pay(id, "accepted");
    const order = { intentId: id, amountCents: 64_000, metadata: {}, idempotencyKey: randomUUID() };
    const refunds = [await cards.refund(order), await cards.refund(order)];
    const refund = { id: expect.stringMatching(/^re_/), amountCents: 64_000, state: "succeeded" };
    expect(refunds).toEqual([expect.objectContaining(refund), refunds[0]]);
    const another = { ...order, idempotencyKey: randomUUID() };
    expect(await cards.refund(another)).toMatchObject({ refused: "charge_already_refunded" });
    expect(await refundsOf(id)).toEqual({ count: 1, cents: 64_000 });
    expect(await cards.findIntent(id)).toMatchObject({ refundedCents: 64_000 });
  });

  test("balance changes are listed newest first, each with its payment", async () => {
    const { cards, pay } = get();
    const { id } = await open();
    const before = await cards.readBalance("usd");
    await pay(id, "accepted");
    const order = { intentId: id, amountCents: 64_000, metadata: {}, idempotencyKey: randomUUID() };
    const refund = await cards.refund(order);
    const listed = await cards.listBalanceTransactions(new Date(Date.now() - 600_000));
    const own = listed.filter(({ intentId }) => intentId === id);
    const reference = "id" in refund ? refund.id : "";
    expect(own).toMatchObject([
      { type: "refund", reference, amountCents: -64_000, feeCents: 0, currency: "usd" },
      { type: "charge", reference: id, amountCents: 64_000 },
    ]);
    const fees = own.reduce((sum, { feeCents }) => sum + feeCents, 0);
    expect((await cards.readBalance("usd")) - before).toBe(-fees);
  });

  testSellerPayouts(get);

  test("a signed event is accepted, but an event with a changed body or no signature is rejected", async () => {
    const { cards, signedEvent } = get();
    const { bytes, signature } = signedEvent("pi_1");
    expect(await cards.readEvent(bytes, signature)).toMatchObject({ intentId: "pi_1" });
    const changed = Buffer.from(bytes.toString().replace("pi_1", "pi_2"));
    const refusal = { code: "BAD_SIGNATURE" };
    await expect(cards.readEvent(changed, signature)).rejects.toMatchObject(refusal);
    await expect(cards.readEvent(bytes, "")).rejects.toMatchObject(refusal);
  });

  test("calls throw PROVIDER_UNAVAILABLE if the provider can't be reached", async () => {
    const { unreachable } = get();
    const refusal = { code: "PROVIDER_UNAVAILABLE" };
    for (const call of [
      unreachable.openIntent(orderOf("1")),
      unreachable.findIntent("pi_1"),
      unreachable.cancelIntent("pi_1"),
      unreachable.refund({ intentId: "pi_1", amountCents: 1, metadata: {}, idempotencyKey: "1" }),
      unreachable.listEvents(undefined),
      unreachable.listBalanceTransactions(undefined),
      unreachable.readBalance("usd"),
      unreachable.readSellerAccount("acct_1"),
      unreachable.findTransfers("booking_1"),
      unreachable.listPayouts("acct_1"),
    ])
      await expect(call).rejects.toMatchObject(refusal);
  });
}
