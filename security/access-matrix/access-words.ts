import type { Access } from "#contract/roles.ts";

/** Who may make each call, written independently of the contract and compared with it. */
const callsByAccess: Record<Access, string[]> = {
  public: [
    "GET /categories",
    "GET /advertisedProducts",
    "GET /categoryProducts/{id}",
    "GET /search",
    "GET /suggestions",
    "GET /products/byId/{id}",
    "GET /config",
    "GET /openapi.json",
    "GET /healthz",
    "GET /readyz",
    "POST /users/confirmation",
    "POST /productViews",
    "POST /unsubscribe",
  ],
  identity: ["GET /jwt", "POST /users", "PUT /users"],
  self: [
    "GET /users/admin/{email}",
    "GET /users/seller/{email}",
    "GET /products/{email}",
    "GET /bookingProducts/{email}",
  ],
  member: [
    "DELETE /products/{id}",
    "DELETE /bookingProducts/{id}",
    "PUT /users/profile",
    "POST /users/photo",
    "GET /users/confirmation",
    "POST /users/confirmation/mail",
    "GET /users/sessions",
    "DELETE /users/sessions/{id}",
    "DELETE /users/sessions",
    "GET /users/secondFactors",
    "PUT /users/sessions/proof",
    "GET /users/profile/data",
    "DELETE /users/profile",
    "POST /invites",
  ],
  buyer: [
    "POST /bookingProducts",
    "GET /bookingProducts/pay/{id}",
    "POST /reportedProducts",
    "POST /create-payment-intent",
    "POST /payments",
    "PUT /bookingProducts/handover",
  ],
  seller: [
    "POST /products",
    "PUT /products",
    "PUT /products/{id}",
    "POST /images/1/upload",
    "GET /sellerOverview",
  ],
  admin: [
    "GET /buyers",
    "GET /sellers",
    "DELETE /users/{id}",
    "PUT /users/sellerStatus",
    "GET /reportedProducts",
    "DELETE /reportedProducts/{id}",
    "POST /refunds",
    "PUT /refunds",
    "PUT /products/takedown",
    "GET /payments",
    "PUT /users/suspension",
    "DELETE /users/{id}/sessions",
    "GET /auditLog",
    "GET /adminOverview",
  ],
  provider: ["POST /webhooks/stripe"],
};

/** The access word of every call, by its name such as `GET /buyers`. */
export const accessOf = new Map(
  Object.entries(callsByAccess).flatMap(([access, calls]) =>
    calls.map((call) => [call, access as Access] as const),
  ),
);
