import { useFriendOffer } from "./use-friend-offer.ts";

/** The invited friend's discount in a form. */
export default function FriendOffer() {
  const offer = useFriendOffer();
  return (
    offer && (
      <p className="rounded-field bg-secondary px-4 py-3 text-secondary-content text-sm">{offer}</p>
    )
  );
}
