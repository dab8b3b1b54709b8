import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

/** The account number is not stored. If `failure` is set, payouts fail with this code. */
type Bank = { id: string; holder: string; last4: string; failure: string | undefined };

/** Times are in milliseconds since 1970. */
export type OnboardingLink = {
  token: string;
  account: string;
  expiresAt: number;
  returnUrl: string;
  refreshUrl: string;
};

export function sellerTables(db: DatabaseSync) {
  const saveBank = db.prepare(
    "insert into banks (account, id, holder, last4, failure) values (?, ?, ?, ?, ?)",
  );
  const newest = db.prepare("select * from banks where account = ? order by rowid desc limit 1");
  const bank = db.prepare("select * from banks where id = ?");
  const sellers = db.prepare("select distinct account from banks order by account");
  const addLink = db.prepare(`
    insert into onboarding_links (token, account, expires_at, return_url, refresh_url)
    values (?, ?, ?, ?, ?)`);
  const link = db.prepare("select * from onboarding_links where token = ?");
  const takeLink = db.prepare("update onboarding_links set used = 1 where token = ? and used = 0");
  const readSetting = db.prepare("select value from settings where name = ?");
  const writeSetting = db.prepare("insert or replace into settings (name, value) values (?, ?)");
  return {
    saveBank(account: string, { id, holder, last4, failure }: Bank): void {
      saveBank.run(account, id, holder, last4, failure ?? null);
    },
    /** The bank account that the seller entered last. */
    bankOf: (account: string) => toBank(newest.get(account)),
    findBank: (id: string) => toBank(bank.get(id)),
    accountsWithBank: () => sellers.all().map((row) => String(row.account)),
    addLink(added: OnboardingLink): void {
      const { token, account, expiresAt, returnUrl, refreshUrl } = added;
      addLink.run(token, account, expiresAt, returnUrl, refreshUrl);
    },
    findLink(token: string): OnboardingLink | undefined {
      const row = link.get(token);
      if (!row) return undefined;
      const [account, returnUrl] = [String(row.account), String(row.return_url)];
      const [expiresAt, refreshUrl] = [Number(row.expires_at), String(row.refresh_url)];
      return { token, account, expiresAt, returnUrl, refreshUrl };
    },
    /** Returns whether the link was unused. */
    takeLink: (token: string) => takeLink.run(token).changes === 1,
    readSetting: (name: string) => Number(readSetting.get(name)?.value ?? 0),
    writeSetting: (name: string, value: number) => void writeSetting.run(name, value),
  };
}

function toBank(row: Record<string, SQLOutputValue> | undefined): Bank | undefined {
  if (!row) return undefined;
  const failure = row.failure === null ? undefined : String(row.failure);
  const [id, holder, last4] = [String(row.id), String(row.holder), String(row.last4)];
  return { id, holder, last4, failure };
}
