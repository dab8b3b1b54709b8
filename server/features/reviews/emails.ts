import { hasAddress } from "#contract/text.ts";
import type { EmailMessage } from "../../email/email.ts";
import { nameOf } from "../../email/email-phrases.ts";

/** `laptop`: null if its name must not be shown. */
type AboutReviews = { laptop: string | null; url: string; unsubscribeUrl: string };

type Invitation = AboutReviews & { role: "buyer" | "seller"; daysLeft: number };

/** Doesn't reveal whether the other side has written a review. */
export function invitationToReview(invitation: Invitation): EmailMessage {
  const { laptop, role, daysLeft, url, unsubscribeUrl } = invitation;
  const about = laptop === null || hasAddress(laptop) ? "the laptop" : laptop;
  const deal = role === "buyer" ? "bought" : "sold";
  const other = role === "buyer" ? "seller" : "buyer";
  return {
    name: "review-invitation",
    values: { party: other, laptop: about },
    paragraphs: [
      `You ${deal} ${laptop === null ? "a laptop" : nameOf(laptop)} on {shop}. How was it with the ${other}? A few words help others decide who to deal with.`,
      `You have ${daysLeft === 1 ? "1 day" : `${daysLeft} days`} left. We'll publish both reviews once you've both written one, or when that time is up.`,
    ],
    action: { label: "Write a review", url },
    actionAfter: 2,
    ...unsubscribe(unsubscribeUrl),
  };
}

/** Doesn't quote the reviews. `both`: whether both sides wrote one. */
export function publishedReviewsEmail(reviews: AboutReviews & { both: boolean }): EmailMessage {
  const { laptop, both, url, unsubscribeUrl } = reviews;
  const deal = laptop === null ? "a laptop" : nameOf(laptop);
  const news = both
    ? `You and the other side have both reviewed your deal about ${deal}, so both reviews are public now.`
    : `The other side has reviewed your deal about ${deal}, and the time for reviews is over, so their review is public now.`;
  return {
    name: "reviews-published",
    paragraphs: [`${news} You can reply to theirs once.`],
    action: { label: "Read the reviews", url },
    ...unsubscribe(unsubscribeUrl),
  };
}

function unsubscribe(unsubscribeUrl: string) {
  return { unsubscribeUrl, unsubscribeLabel: "Stop emails about reviews" };
}
