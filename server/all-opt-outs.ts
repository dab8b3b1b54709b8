import type { OptOuts } from "./email/opt-outs.ts";
import { invitationOptOut } from "./features/invitations/opt-out.ts";
import { messageOptOut } from "./features/messages/opt-out.ts";
import { reviewOptOut } from "./features/reviews/opt-out.ts";
import { savedProductOptOut } from "./features/saved-products/opt-out.ts";
import { savedSearchOptOut } from "./features/saved-searches/opt-out.ts";

/** How each kind of email that isn't transactional ends. */
export const allOptOuts: OptOuts = {
  "saved-laptops": savedProductOptOut,
  "saved-search": savedSearchOptOut,
  messages: messageOptOut,
  reviews: reviewOptOut,
  invitations: invitationOptOut,
};
