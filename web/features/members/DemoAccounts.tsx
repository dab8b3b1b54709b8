import { useQuery } from "@tanstack/react-query";
import { readConfig } from "#contract/config.ts";
import { queryOf } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";

const password = "Demo#2026";
const accounts = [
  { label: "Buyer", email: "buyer@demo.test" },
  { label: "Seller", email: "seller@demo.test" },
  { label: "Admin", email: "admin@demo.test" },
];

type DemoAccountsProps = { onChoose: (account: { email: string; password: string }) => void };

export function DemoAccounts({ onChoose }: DemoAccountsProps) {
  const { data: config } = useQuery(queryOf(readConfig, {}));
  if (!config?.demo) return null;
  return (
    <section aria-label="Demo accounts" className="flex flex-col gap-3 rounded-2xl bg-base-200 p-4">
      <div className="text-muted text-sm">
        <p>This is a demo. Look around with one of these accounts.</p>
        <p>
          The password is <code className="text-base-content">{password}</code>.
        </p>
      </div>
      <ul className="flex flex-col gap-1 text-sm">
        {accounts.map(({ label, email }) => (
          <li key={email} className="flex items-center justify-between gap-3">
            <span>
              {label} <span className="text-muted">{email}</span>
            </span>
            <Button
              look="plain"
              size="small"
              aria-label={`Use ${email}`}
              onClick={() => onChoose({ email, password })}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
