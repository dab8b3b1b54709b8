import { vi } from "vitest";
import type { Shop } from "./shop.ts";

export type ReceivedMail = {
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
};

/** Everything the sandbox's inbox holds for an address, newest first. */
export async function mailsTo({ sandbox }: Shop, email: string): Promise<ReceivedMail[]> {
  const answer = await fetch(`${sandbox?.url}/mail/messages`);
  const mails = (await answer.json()) as ReceivedMail[];
  return mails.filter(({ to }) => to.includes(email));
}

/** Waits until an address has had so many mails, and answers the newest. */
export async function waitForMail(shop: Shop, email: string, count = 1): Promise<ReceivedMail> {
  return await vi.waitFor(
    async () => {
      const [newest, ...older] = await mailsTo(shop, email);
      if (!newest || older.length + 1 < count) throw new Error(`no mail ${count} to ${email} yet`);
      return newest;
    },
    { timeout: 8_000, interval: 50 },
  );
}

/** The token of the link a mail asks to follow. */
export function tokenIn({ text }: ReceivedMail): string {
  const token = /\/reset-password\?token=([\w-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link in: ${text}`);
  return token;
}
