/** Gmail ignores dots, and has two domains. */
const gmail = new Set(["gmail.com", "googlemail.com"]);

/**
 * The mailbox of an address: without a tag after "+" and, at Gmail, without dots. The SQL
 * function `mailbox_of` does the same.
 */
export function mailboxOf(address: string): string {
  const [before = "", domain = ""] = address.toLowerCase().split("@");
  const [name = ""] = before.split("+");
  return gmail.has(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}

/** Whether an address is of a service that gives anybody a mailbox for minutes. The list has 120,000 domains, so it is loaded late. */
export async function isDisposable(address: string): Promise<boolean> {
  const domain = address.toLowerCase().split("@").at(-1) ?? "";
  domains ??= loadDomains().catch((error: unknown) => {
    domains = undefined;
    throw error;
  });
  const known = await domains;
  return domain.split(".").some((_, index, parts) => known.has(parts.slice(index).join(".")));
}

let domains: Promise<ReadonlySet<string>> | undefined;

async function loadDomains(): Promise<ReadonlySet<string>> {
  const { default: list } = await import("disposable-email-domains", { with: { type: "json" } });
  return new Set(list);
}

/** An address as its inviter recognises it: `fr•••@example.com`. */
export function hideMost(address: string): string {
  const [name = "", domain = ""] = address.split("@");
  return `${[...name].slice(0, 2).join("")}•••@${domain}`;
}
