import type { Email } from "../../adapters/mail/port.ts";

type Draft = {
  to: string;
  subject: string;
  /** Plain sentences; what comes from people may be in them. */
  paragraphs: string[];
  /** The one thing to do, and the address that does it; it stands after the first paragraph. */
  action: { label: string; url: string };
};

/** Writes a letter as text and as HTML that says the same. */
export function renderEmail({ to, subject, paragraphs, action }: Draft): Email {
  const [first = "", ...rest] = paragraphs;
  const text = [first, `${action.label}:\n${action.url}`, ...rest, "Secondlap"].join("\n\n");
  const body = [
    paragraph(first),
    `<p style="margin:24px 0"><a href="${escaped(action.url)}" style="${button}">${escaped(action.label)}</a></p>`,
    ...rest.map(paragraph),
    paragraph("Secondlap"),
  ];
  return {
    to,
    subject,
    text: `${text}\n`,
    html: `<div style="${sheet}">\n${body.join("\n")}\n</div>\n`,
  };
}

/** Mail programs keep styles only where they stand on the element. */
const sheet = "max-width:480px;color:#1b1d22;font:16px/1.5 system-ui,sans-serif";
const button =
  "display:inline-block;padding:12px 20px;border-radius:8px;background:#005c48;color:#fff;text-decoration:none";

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
