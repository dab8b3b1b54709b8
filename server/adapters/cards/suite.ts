import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { CardProvider } from "../../testing/cards.ts";
import { type Cards, type TransferOrder, transferGroupOf } from "./port.ts";

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
      const { cards, provider } = get();
      const { id } = await open();
      await provider.pay(id, "pm_card_visa_chargeDeclined").catch(() => {});
      expect(await cards.findIntent(id)).toMatchObject({ status: "open" });
      await provider.pay(id);
      expect(await cards.findIntent(id)).toMatchObject({ id, status: "succeeded" });
    });

    test("an open intent can be canceled, but a paid intent can't", async () => {
      const { cards, provider } = get();
      const [unpaid, paid] = [await open(), await open()];
      await provider.pay(paid.id);
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
    const { cards, provider } = get();
    const { id } = await open();
    await provider.pay(id);
    const order = { intentId: id, amountCents: 64_000, metadata: {}, idempotencyKey: randomUUID() };
    const refunds = [await cards.refund(order), await cards.refund(order)];
    const refund = { id: expect.stringMatching(/^re_/), amountCents: 64_000, state: "succeeded" };
    expect(refunds).toEqual([expect.objectContaining(refund), refunds[0]]);
    const another = { ...order, idempotencyKey: randomUUID() };
    expect(await cards.refund(another)).toMatchObject({ refused: "charge_already_refunded" });
    const { refunds: made } = await provider.ledger();
    expect(made.filter(({ payment_intent }) => payment_intent === id)).toMatchObject([
      { amount: 64_000 },
    ]);
    expect(await cards.findIntent(id)).toMatchObject({ refundedCents: 64_000 });
  });

  test("balance changes are listed newest first, each with its payment", async () => {
    const { cards, provider } = get();
    const { id } = await open();
    const before = await cards.readBalance("usd");
    await provider.pay(id);
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

type CardsUnderTest = { cards: Cards; provider: CardProvider; unreachable: Cards };

function orderOf(bookingId: string) {
  return { bookingId, amountCents: 64_000, currency: "usd", email: "buyer@example.com" };
}

const shop = "https://laptops.example.com";
const currency = "usd";
/** The beginning of a JPEG. */
const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex");

function testSellerPayouts(get: () => CardsUnderTest): void {
  const newAccount = async (): Promise<string> => {
    const order = { memberId: "m-1", email: "ada@example.com", idempotencyKey: randomUUID() };
    return (await get().cards.createSellerAccount(order)).accountId;
  };
  const linkFor = async (accountId: string): Promise<string> => {
    const urls = { returnUrl: `${shop}/payouts`, refreshUrl: `${shop}/payouts/again` };
    return (await get().cards.createOnboardingLink({ accountId, ...urls })).url;
  };
  const onboarded = async (accountNumber?: string): Promise<string> => {
    const accountId = await newAccount();
    const answer = accountNumber === undefined ? {} : { accountNumber };
    await get().provider.onboard(await linkFor(accountId), answer);
    return accountId;
  };
  const deal = async () => {
    const { cards, provider } = get();
    const bookingId = randomUUID();
    const { id } = await cards.openIntent(orderOf(bookingId));
    await provider.pay(id);
    const { chargeId } = await cards.findIntent(id);
    return {
      intentId: id,
      transferGroup: transferGroupOf(bookingId),
      sourceCharge: chargeId ?? "",
    };
  };
  const orderFor = async (accountId: string, changes: Partial<TransferOrder> = {}) => {
    const { transferGroup, sourceCharge } = await deal();
    const metadata = { attempt: "1" };
    const order = { amountCents: 60_000, currency, accountId, transferGroup, sourceCharge };
    return { ...order, metadata, idempotencyKey: randomUUID(), ...changes };
  };
  const transferred = async (accountId: string) => {
    const order = await orderFor(accountId);
    const answer = await get().cards.createTransfer(order);
    if ("refused" in answer) throw new Error(answer.message);
    return { ...order, transferId: answer.transferId };
  };

  describe("seller accounts", () => {
    test("a seller's account can receive transfers and payouts only after onboarding is finished", async () => {
      const { cards, provider } = get();
      const id = await newAccount();
      const unfinished = { transfersActive: false, payoutsEnabled: false };
      expect(await cards.readSellerAccount(id)).toMatchObject(unfinished);
      expect(await provider.onboard(await linkFor(id), { unfinished: true })).toBe(
        `${shop}/payouts`,
      );
      const left = await cards.readSellerAccount(id);
      expect(left).toMatchObject(unfinished);
      expect(left?.hasRequirementsDue).toBe(true);
      expect(await provider.onboard(await linkFor(id))).toBe(`${shop}/payouts`);
      expect(await cards.readSellerAccount(id)).toEqual({
        transfersActive: true,
        payoutsEnabled: true,
        hasRequirementsDue: false,
      });
    });

    test("repeated requests with one idempotency key create one account", async () => {
      const { cards } = get();
      const key = randomUUID();
      const order = { memberId: "m-1", email: "ada@example.com", idempotencyKey: key };
      const [first, second] = [
        await cards.createSellerAccount(order),
        await cards.createSellerAccount(order),
      ];
      expect(second).toEqual(first);
    });

    test("reading an account unknown to the provider returns undefined", async () => {
      expect(await get().cards.readSellerAccount("acct_unknown")).toBeUndefined();
    });
  });

  describe("transfers to sellers", () => {
    test("repeated requests with one idempotency key make one transfer, listed with its metadata", async () => {
      const { cards } = get();
      const order = await orderFor(await onboarded());
      const [first, second] = [
        await cards.createTransfer(order),
        await cards.createTransfer(order),
      ];
      expect(second).toEqual(first);
      expect(await cards.findTransfers(order.transferGroup)).toMatchObject([
        {
          id: Object(first).transferId,
          amountCents: 60_000,
          reversedCents: 0,
          metadata: { attempt: "1" },
          reversals: [],
        },
      ]);
      expect(await cards.findTransfers("booking_unknown")).toEqual([]);
    });

    test("a transfer to an account that can't receive money is rejected and moves nothing", async () => {
      const { cards, provider } = get();
      const before = await orderFor(await newAccount());
      const refusal = { refused: "transfers_not_allowed", message: expect.any(String) };
      expect(await cards.createTransfer(before)).toEqual(refusal);
      const after = await orderFor(await onboarded());
      await provider.setCapabilities(after.accountId, { stripe_transfers: "rejected" });
      expect(await cards.createTransfer(after)).toEqual(refusal);
      expect(await cards.findTransfers(before.transferGroup)).toEqual([]);
      expect(await cards.findTransfers(after.transferGroup)).toEqual([]);
    });

    test("a transfer is rejected if it would raise the transfers' total above the charge", async () => {
      const { cards } = get();
      const order = await transferred(await onboarded());
      const more = { ...order, amountCents: 4_001, idempotencyKey: randomUUID() };
      expect(await cards.createTransfer(more)).toMatchObject({ refused: "other" });
      const rest = { ...order, amountCents: 4_000, idempotencyKey: randomUUID() };
      expect(await cards.createTransfer(rest)).toHaveProperty("transferId");
      expect(await cards.findTransfers(order.transferGroup)).toHaveLength(2);
    });

    test("a transfer can be reversed in parts, but never by more than the remaining amount", async () => {
      const { cards } = get();
      const { transferId, transferGroup } = await transferred(await onboarded());
      const part = { transferId, amountCents: 10_000, metadata: { attempt: "1" } };
      const key = randomUUID();
      const first = await cards.reverseTransfer({ ...part, idempotencyKey: key });
      expect(await cards.reverseTransfer({ ...part, idempotencyKey: key })).toEqual(first);
      const rest = { ...part, amountCents: 50_001, idempotencyKey: randomUUID() };
      expect(await cards.reverseTransfer(rest)).toMatchObject({ refused: "other" });
      const { reversalId: id } = Object(first);
      const reversal = { id, amountCents: 10_000, metadata: { attempt: "1" } };
      expect(await cards.findTransfers(transferGroup)).toMatchObject([
        { reversedCents: 10_000, reversals: [reversal] },
      ]);
    });

    test("all reversals of a transfer are listed, even if the provider returns them in pages", async () => {
      const { cards } = get();
      const { transferId, transferGroup } = await transferred(await onboarded());
      for (let cents = 101; cents <= 111; cents += 1) {
        const part = { transferId, amountCents: cents, metadata: {} };
        await cards.reverseTransfer({ ...part, idempotencyKey: randomUUID() });
      }
      const [transfer] = await cards.findTransfers(transferGroup);
      const amounts = transfer?.reversals.map(({ amountCents }) => amountCents);
      expect(amounts).toEqual([111, 110, 109, 108, 107, 106, 105, 104, 103, 102, 101]);
    });

    test("a transfer can't be reversed after the money was paid out to the seller's bank", async () => {
      const { cards, provider } = get();
      const account = await onboarded();
      const { transferId } = await transferred(account);
      const before = await cards.readSellerBalance(account, currency);
      expect(before.availableCents + before.pendingCents).toBe(60_000);
      await provider.advanceClock(4);
      const after = await cards.readSellerBalance(account, currency);
      expect(after).toEqual({ availableCents: 0, pendingCents: 0 });
      const order = { transferId, amountCents: 1_000, metadata: {}, idempotencyKey: randomUUID() };
      expect(await cards.reverseTransfer(order)).toMatchObject({ refused: "balance_insufficient" });
    });
  });

  test("a partial refund is made once per idempotency key, and is listed with its metadata", async () => {
    const { cards } = get();
    const { intentId } = await deal();
    const order = { intentId, amountCents: 10_000, metadata: { attempt: "1" } };
    const key = randomUUID();
    const first = await cards.refund({ ...order, idempotencyKey: key });
    expect(await cards.refund({ ...order, idempotencyKey: key })).toEqual(first);
    const { id } = Object(first);
    const { refunds, refundedCents } = await cards.findIntent(intentId);
    expect(refundedCents).toBe(10_000);
    expect(refunds).toMatchObject([{ id, amountCents: 10_000, metadata: { attempt: "1" } }]);
    const more = { ...order, amountCents: 54_001, idempotencyKey: randomUUID() };
    expect(await cards.refund(more)).toMatchObject({ refused: "other" });
  });

  test("a picture is uploaded once per idempotency key, and a file that is not a picture is rejected", async () => {
    const { cards } = get();
    const key = randomUUID();
    const first = await cards.uploadEvidence({ jpeg, idempotencyKey: key });
    expect(first).toEqual({ fileId: expect.any(String) });
    expect(await cards.uploadEvidence({ jpeg, idempotencyKey: key })).toEqual(first);
    const other = { jpeg: Buffer.from("no picture"), idempotencyKey: randomUUID() };
    expect(await cards.uploadEvidence(other)).toMatchObject({ refused: "other" });
  });

  test("evidence against a dispute can be submitted only once", async () => {
    const { cards, provider } = get();
    const { id } = await cards.openIntent(orderOf(randomUUID()));
    await provider.pay(id, "pm_card_createDispute");
    const [dispute] = (await cards.findIntent(id)).disputes;
    const file = await cards.uploadEvidence({ jpeg, idempotencyKey: randomUUID() });
    const evidence = {
      disputeId: dispute?.id ?? "",
      text: "The code was entered.",
      serviceDate: "",
    };
    const unknown = { ...evidence, fileId: "file_unknown", idempotencyKey: randomUUID() };
    expect(await cards.submitEvidence(unknown)).toMatchObject({ refused: "other" });
    const first = { ...evidence, ...file, idempotencyKey: randomUUID() };
    expect(dispute?.respondBy).toBeInstanceOf(Date);
    expect(await cards.submitEvidence(first)).toEqual({ submitted: true });
    expect((await cards.findIntent(id)).disputes).toMatchObject([{ respondBy: null }]);
    const second = { ...evidence, idempotencyKey: randomUUID() };
    expect(await cards.submitEvidence(second)).toMatchObject({ refused: "other" });
    const part = { intentId: id, amountCents: 100, metadata: {}, idempotencyKey: randomUUID() };
    expect(await cards.refund(part)).toMatchObject({ refused: "charge_disputed" });
  });

  describe("payouts to a seller's bank", () => {
    test("transferred money is paid out when it becomes available, and arrives at the seller's bank", async () => {
      const { cards, provider } = get();
      const { accountId } = await transferred(await onboarded());
      expect(await cards.listPayouts(accountId)).toEqual([]);
      await provider.advanceClock(3);
      const payouts = await cards.listPayouts(accountId);
      expect(payouts).toMatchObject([{ amountCents: 60_000, state: "in_transit" }]);
      await provider.advanceClock(3);
      const arrived = await cards.listPayouts(accountId);
      expect(arrived).toMatchObject([
        { id: payouts[0]?.id, state: "paid", failureCode: undefined },
      ]);
    });

    test("a payout that the bank rejects is retried after the seller enters another bank account", async () => {
      const { cards, provider } = get();
      const { accountId } = await transferred(await onboarded("000111111116"));
      await provider.advanceClock(6);
      const payouts = await cards.listPayouts(accountId);
      expect(payouts).toMatchObject([{ state: "failed", failureCode: "no_account" }]);
      const stopped = { transfersActive: true, payoutsEnabled: false };
      expect(await cards.readSellerAccount(accountId)).toMatchObject(stopped);
      await provider.onboard(await linkFor(accountId));
      await provider.advanceClock(6);
      const again = await cards.listPayouts(accountId);
      expect(again).toMatchObject([{ state: "paid" }, { state: "failed" }]);
    });
  });
}
