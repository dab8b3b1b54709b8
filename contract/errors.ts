import { z } from "zod";

export const errorStatus = {
  BAD_REQUEST: 400,
  INVALID_INPUT: 400,
  IMAGE_NOT_OURS: 400,
  NOT_AN_IMAGE: 400,
  BAD_SIGNATURE: 400,
  NOT_SIGNED_IN: 401,
  ACCOUNT_SUSPENDED: 403,
  ADDRESS_BLOCKED: 403,
  BLOCKED: 403,
  CONFIRM_PROVIDER: 403,
  CONFIRM_PASSWORD: 403,
  FORBIDDEN: 403,
  ADDRESS_NOT_CONFIRMED: 403,
  NOT_A_MEMBER: 403,
  NOT_YOUR_ADDRESS: 403,
  WRONG_PASSWORD: 403,
  SECOND_FACTOR_REQUIRED: 403,
  SELLER_NOT_VERIFIED: 403,
  NOT_FOUND: 404,
  ALREADY_CONFIRMED: 409,
  ALREADY_LISTED: 409,
  ALREADY_OFFERED: 409,
  ALREADY_REPORTED: 409,
  ALREADY_REVIEWED: 409,
  BOOKING_NOT_PAYABLE: 409,
  HANDOVER_CODE_LOCKED: 409,
  IN_USE: 409,
  LINK_EXPIRED: 409,
  PAYMENT_NOT_CONFIRMED: 409,
  PRICE_CHANGED: 409,
  PRODUCT_TAKEN: 409,
  REVIEWS_CLOSED: 409,
  STALE: 409,
  CURRENCY_FIXED: 409,
  TOO_MANY_HOLDS: 409,
  TOO_MANY_PHOTOS: 409,
  TOO_MANY_SAVED: 409,
  WRONG_HANDOVER_CODE: 409,
  GONE: 410,
  TOO_LARGE: 413,
  UNSUPPORTED_TYPE: 415,
  KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  PROVIDER_UNAVAILABLE: 502,
  CLOSED: 503,
  DISK_FULL: 503,
  UNAVAILABLE: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatus;

/** web/api/identity-errors.ts has the messages for the identity library's codes. */
export const errorBody = z.object({
  message: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  requestId: z.string().optional(),
  acknowledged: z.literal(false).optional(),
  /** The buyer's unpaid holds, if the request leaves open which of them to pay for. */
  holds: z.array(z.object({ bookingId: z.string(), product_name: z.string() })).optional(),
});

export type ErrorBody = z.infer<typeof errorBody>;
