import { expect } from "@playwright/test";
import { readConfig } from "#contract/config.ts";
import { confirmAddress } from "#contract/members.ts";
import type { ReceivedMail } from "#server/testing/inbox.ts";
import type { Member } from "./accounts.ts";

/** Returns the emails in the inbox of the member's shop, newest first. */
export async function readInbox(member: Member): Promise<ReceivedMail[]> {
  const { mailInboxUrl } = await member.call(readConfig, {});
  const answer = await fetch(`${mailInboxUrl}/messages`);
  return (await answer.json()) as ReceivedMail[];
}

/** Returns the pattern's first group from the newest matching email. Waits for the email. */
export async function findInMail(reader: Member, to: string, pattern: RegExp): Promise<string> {
  let found: string | undefined;
  await expect(async () => {
    const mails = (await readInbox(reader)).filter((mail) => mail.to.includes(to));
    [found] = mails.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []);
    expect(found).toBeDefined();
  }).toPass();
  return String(found);
}

/** Confirms the members' addresses, because unconfirmed ones get no emails about deals. */
export async function confirmAddresses(members: Member[]): Promise<void> {
  for (const member of members) {
    const token = await findInMail(member, member.email, confirmationLink);
    await member.call(confirmAddress, { body: { token } });
  }
}

export const confirmationLink = /\/confirm-email\?token=([\w-]+)/;

type Subjects<Who extends string> = Partial<Record<Who, string[]>>;

/** `expectNew` waits for exactly the emails expected so far. Members must be confirmed first. */
export function openMailbox<Who extends string>(members: Record<Who, Member>) {
  const expected = Object.entries<Member>(members).map(([who, member]) => ({
    who: who as Who,
    member,
    subjects: ["Confirm your email address"],
  }));
  return {
    async expectNew(news: Subjects<Who>): Promise<void> {
      for (const { who, member, subjects } of expected) {
        subjects.push(...(news[who] ?? []));
        await expect.poll(() => subjectsTo(member)).toEqual(subjects.toSorted());
      }
    },
  };
}

/** Returns sorted subjects, because emails are sent concurrently. */
async function subjectsTo(member: Member): Promise<string[]> {
  const mails = (await readInbox(member)).filter(({ to }) => to.includes(member.email));
  return mails.map(({ subject }) => subject).sort();
}

export type Mailbox<Who extends string> = ReturnType<typeof openMailbox<Who>>;
