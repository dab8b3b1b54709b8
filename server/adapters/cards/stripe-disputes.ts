import type { Cards } from "./port.ts";
import { type CallStripe, callWithKey, toRefusal } from "./stripe-client.ts";

const uploadMs = 20_000;

/** Sends evidence for disputes (docs.stripe.com/disputes/api). */
export function stripeDisputes(call: CallStripe) {
  return {
    async uploadEvidence({ jpeg, idempotencyKey }) {
      const file = { data: jpeg, name: "photos.jpg", type: "image/jpeg" };
      const wanted = { purpose: "dispute_evidence", file };
      // Uploading megabytes takes longer than other calls.
      const timeout = uploadMs;
      return await callWithKey(idempotencyKey, (key) =>
        call("file", (stripe) => stripe.files.create(wanted, { ...key, timeout })),
      )
        .then(({ id }) => ({ fileId: id }))
        .catch(toRefusal);
    },

    async submitEvidence({ disputeId, idempotencyKey, ...given }) {
      const evidence = {
        ...(given.productDescription && { product_description: given.productDescription }),
        ...(given.customerName && { customer_name: given.customerName }),
        ...(given.customerEmail && { customer_email_address: given.customerEmail }),
        ...(given.serviceDate && { service_date: given.serviceDate }),
        ...(given.text && { uncategorized_text: given.text }),
        ...(given.fileId && { uncategorized_file: given.fileId }),
      };
      return await callWithKey(idempotencyKey, (key) =>
        call("dispute", (stripe) =>
          stripe.disputes.update(disputeId, { evidence, submit: true }, key),
        ),
      )
        .then(() => ({ submitted: true }) as const)
        .catch(toRefusal);
    },
  } satisfies Partial<Cards>;
}
