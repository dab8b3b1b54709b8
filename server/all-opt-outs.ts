import type { OptOuts } from "./email/opt-outs.ts";
import { messageOptOut } from "./features/messages/message-inbox.ts";
import { reviewOptOut } from "./features/reviews/review-settings.ts";
import { invitationOptOut } from "./features/rewards/opt-out.ts";
import { savedProductOptOut, savedSearchOptOut } from "./features/saved/opt-outs.ts";

/** How recipients opt out of each kind of email that isn't transactional. */
export const allOptOuts: OptOuts = {
  "saved-laptops": savedProductOptOut,
  "saved-search": savedSearchOptOut,
  messages: messageOptOut,
  reviews: reviewOptOut,
  invitations: invitationOptOut,
};
