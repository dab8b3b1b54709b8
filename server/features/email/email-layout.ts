import type { Email, EmailContent } from "../../adapters/mail/port.ts";

/** Renders an email as text and as HTML with the same content. */
export function renderEmail({
  to,
  subject,
  paragraphs,
  action,
  actionAfter = 1,
}: EmailContent): Email {
  const before = paragraphs.slice(0, actionAfter);
  const after = [...paragraphs.slice(actionAfter), "Secondlap"];
  const text = [...before, `${action.label}:\n${action.url}`, ...after].join("\n\n");
  const body = [
    ...before.map(paragraph),
    `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="${buttonStyle}">${escapeHtml(action.label)}</a></p>`,
    ...after.map(paragraph),
  ];
  return {
    to,
    subject,
    text: `${text}\n`,
    html: `<div style="${bodyStyle}">\n${body.join("\n")}\n</div>\n`,
  };
}

/** Inline, because mail clients drop style sheets. */
const bodyStyle = "max-width:480px;color:#1b1d22;font:16px/1.5 system-ui,sans-serif";
const buttonStyle =
  "display:inline-block;padding:12px 20px;border-radius:8px;background:#005c48;color:#fff;text-decoration:none";

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
