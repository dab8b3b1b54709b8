import { type AccountType, addRole } from "#contract/members.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";

export const addedRole: Record<AccountType, string> = {
  seller:
    "You can list laptops, and get Add Product, My Products and Overview in your dashboard. Your orders, messages and saved laptops stay. Buyers see your name on your listings.",
  buyer:
    "You can hold, pay for and report laptops of other sellers, and get My Orders in your dashboard. Your listings and sales stay.",
};

const texts = {
  seller: { label: "Sell with this account", done: "You can sell laptops now." },
  buyer: { label: "Buy with this account", done: "You can buy laptops now." },
};

type AddRoleProps = { adds: AccountType; look?: "primary" | "plain"; onAdded?: () => void };

/** Shows a toast unless `onAdded` is given (decisions/members). */
export function AddRole({ adds: role, look = "primary", onAdded }: AddRoleProps) {
  const { label, done } = texts[role];
  const add = useCall(addRole, onAdded ? { onSuccess: onAdded } : { success: done });
  return (
    <Button look={look} busy={add.isPending} onClick={() => add.mutate({ body: { role } })}>
      {label}
    </Button>
  );
}
