import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import PostalMime from "postal-mime";

type Message = { from: string; subject: string; text: string; html: string };

/** Parses an email. Missing parts become empty strings. */
export async function parseEmail(raw: Buffer): Promise<Message> {
  const { headers, from, subject = "", text = "", html = "" } = await PostalMime.parse(raw);
  const { name = "", address = "" } = from ?? {};
  const multipart = headers.some(
    ({ key, value }) => key === "content-type" && /^multipart\//i.test(value),
  );
  // postal-mime includes the line break before a boundary, which is not content (RFC 2046, 5.1.1).
  const content = (part: string) => (multipart ? part.replace(/\n$/, "") : part);
  return {
    from: name ? `${name} <${address}>` : address,
    subject,
    text: content(text),
    html: content(html),
  };
}

/** `receivedAt` is in milliseconds since 1970. */
export type Mail = Message & { id: number; to: string[]; receivedAt: number };

const schema = `
  pragma journal_mode = wal;
  -- Commits survive a crash of the process. Waiting for the disk would block every request.
  pragma synchronous = normal;
  create table if not exists mails (
    id integer primary key, received_at integer not null, recipients text not null,
    sender text not null, subject text not null, text text not null, html text not null
  ) strict;
`;

/** Above this number, the oldest emails are deleted. */
const maxEmails = 1_000;

export type Inbox = ReturnType<typeof openInbox>;

export function openInbox(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec(schema);
  const insert = db.prepare(`
    insert into mails (received_at, recipients, sender, subject, text, html)
    values (?, ?, ?, ?, ?, ?)`);
  const deleteOldest = db.prepare("delete from mails where id <= ? - ?");
  const all = db.prepare("select * from mails order by id desc");
  const one = db.prepare("select * from mails where id = ?");
  return {
    add(to: string[], { from, subject, text, html }: Message): void {
      const row = [Date.now(), JSON.stringify(to), from, subject, text, html];
      const { lastInsertRowid } = insert.run(...row);
      deleteOldest.run(lastInsertRowid, maxEmails);
    },
    /** Newest first. */
    list: (): Mail[] => all.all().map(toMail),
    find(id: number): Mail | undefined {
      const row = one.get(id);
      return row && toMail(row);
    },
    close: () => db.close(),
  };
}

function toMail(row: Record<string, SQLOutputValue>): Mail {
  return {
    id: Number(row.id),
    receivedAt: Number(row.received_at),
    to: JSON.parse(String(row.recipients)),
    from: String(row.sender),
    subject: String(row.subject),
    text: String(row.text),
    html: String(row.html),
  };
}
