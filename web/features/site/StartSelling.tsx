import { AddRole, addedRole } from "./AddRole.tsx";

/** Lets a buyer who opened a seller page become a seller too. The seller page then opens. */
export function StartSelling() {
  return (
    <div className="flex max-w-prose flex-col items-center gap-4">
      <p>Do you want to sell laptops too? {addedRole.seller}</p>
      <AddRole adds="seller" onAdded={() => location.reload()} />
    </div>
  );
}
