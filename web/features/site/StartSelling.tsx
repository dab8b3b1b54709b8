import { AddRole, addedRole } from "./AddRole.tsx";

/** For a buyer who has opened a seller's page: with one click they sell too, and the page opens. */
export function StartSelling() {
  return (
    <div className="flex max-w-prose flex-col items-center gap-4">
      <p>Do you want to sell laptops too? {addedRole.seller}</p>
      <AddRole adds="seller" onAdded={() => location.reload()} />
    </div>
  );
}
