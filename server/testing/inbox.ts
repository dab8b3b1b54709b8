import { sql } from "kysely";
import { vi } from "vitest";
import type { QueuedEmail } from "../email/email.ts";
import { forwardJobs } from "../jobs/job-queue.ts";
import type { Person } from "./people.ts";
import type { Shop } from "./shop.ts";

export type ReceivedMail = {
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
};

/** Lists received emails, newest first. */
export async function mailsTo(
  { sandbox }: Pick<Shop, "sandbox">,
  email: string,
): Promise<ReceivedMail[]> {
  const answer = await fetch(`${sandbox?.url}/mail/messages`);
  const mails = (await answer.json()) as ReceivedMail[];
  return mails.filter(({ to }) => to.includes(email));
}

/** Lists queued emails, oldest first. Without a worker, every email stays in the queue. */
export async function queuedEmails({ deps }: Shop): Promise<QueuedEmail[]> {
  await forwardJobs(deps.db);
  const { rows } = await sql<{ letter: QueuedEmail }>`
    select payload as letter from graphile_worker._private_jobs jobs
    join graphile_worker._private_tasks tasks on tasks.id = task_id
    where identifier = 'sendMail' order by run_at, jobs.id`.execute(deps.db);
  return rows.map(({ letter }) => letter);
}

/** Waits for at least `count` emails. Returns the newest. */
export async function waitForMail(shop: Shop, email: string, count = 1): Promise<ReceivedMail> {
  return await vi.waitFor(
    async () => {
      const [newest, ...older] = await mailsTo(shop, email);
      if (!newest || older.length + 1 < count) throw new Error(`no mail ${count} to ${email} yet`);
      return newest;
    },
    { timeout: 300_000, interval: 50 },
  );
}

export async function waitForMailAbout(
  shop: Shop,
  email: string,
  subject: RegExp,
): Promise<ReceivedMail> {
  return await vi.waitFor(
    async () => {
      const mails = await mailsTo(shop, email);
      const found = mails.find((mail) => subject.test(mail.subject));
      if (!found) throw new Error(`no mail ${subject} to ${email} yet`);
      return found;
    },
    { timeout: 300_000, interval: 50 },
  );
}

export function tokenIn({ text }: { text: string }): string {
  const token = /\/(?:reset-password|confirm-email|dashboard\/staff)\?token=([\w-]+)/.exec(
    text,
  )?.[1];
  if (token === undefined) throw new Error(`no link in: ${text}`);
  return token;
}

const brand = "Apple";

/** Subjects of emails about an Apple laptop for $640. */
export const emailSubjects = {
  holdToBuyer: `Your hold on an ${brand} laptop`,
  holdToSeller: `Your ${brand} laptop is on hold`,
  expired: `Your hold on an ${brand} laptop has expired`,
  cancelled: `Your hold on an ${brand} laptop was canceled`,
  backOnSale: `Your ${brand} laptop is back on sale`,
  receipt: `Your receipt for an ${brand} laptop`,
  reclaimed: `The ${brand} laptop is yours after all`,
  sold: `You sold your ${brand} laptop`,
  handedOver: `The buyer has your ${brand} laptop`,
  saleCancelled: `The sale of your ${brand} laptop was canceled`,
  refund: "Your refund of $640 is on its way",
};

type Parties = { buyer: Person; seller: Person };

/** Lists a person's queued emails, oldest first. `about` filters by subject. Needs no worker. */
export async function emailsTo(shop: Shop, { email }: Person, about = /./): Promise<QueuedEmail[]> {
  return (await queuedEmails(shop)).filter(
    ({ to, subject }) => to === email && about.test(subject),
  );
}

export async function queuedSubjects(shop: Shop, { buyer, seller }: Parties) {
  const subjectsTo = async (who: Person) =>
    (await emailsTo(shop, who)).map(({ subject }) => subject);
  return { buyer: await subjectsTo(buyer), seller: await subjectsTo(seller) };
}
