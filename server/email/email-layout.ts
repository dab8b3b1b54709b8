import { emailSubjects, fillPlaceholders } from "#contract/emails.ts";
import { operatorLines, withShopName } from "#contract/shop.ts";
import { builtInColors, type ShopSettings } from "#contract/shop-settings.ts";
import type { Email } from "../adapters/mail/port.ts";
import type { EmailContent } from "./email.ts";

type Sender = Pick<ShopSettings, "name" | "operator" | "colors" | "emails">;

/** `{shop}` becomes the shop's name. The owner's subject, if any, replaces the built-in one. */
export function renderEmail(content: EmailContent, shop: Sender): Email {
  const { to, recipient, action, actionAfter = 1, unsubscribeUrl, calendar } = content;
  const { unsubscribeLabel = "Unsubscribe from invitations" } = content;
  const { subject, opening } = ownedTexts(content, shop);
  const paragraphs = content.paragraphs.map((text) => withShopName(text, shop));
  const start = [recipient && `Hi ${recipient},`, opening].flatMap((text) => text || []);
  const before = [...start, ...paragraphs.slice(0, actionAfter)];
  const { operator } = shop;
  const signature = [shop.name, ...operatorLines(operator), operator.email].join("\n").trimEnd();
  const after = [...paragraphs.slice(actionAfter), signature];
  const lines = [...before, `${action.label}:\n${action.url}`, ...after];
  if (unsubscribeUrl !== undefined) lines.push(`${unsubscribeLabel}:\n${unsubscribeUrl}`);
  const body = [
    ...before.map(paragraph),
    `<p style="margin:24px 0"><a class="button" href="${escapeHtml(action.url)}" style="${buttonStyle};background:${(shop.colors ?? builtInColors).main}">${escapeHtml(action.label)}</a></p>`,
    ...after.map(paragraph),
  ];
  const unsubscribe =
    unsubscribeUrl === undefined ? "" : footer({ url: unsubscribeUrl, label: unsubscribeLabel });
  const style = shop.colors ? darkStyle : `${darkStyle}\n${darkButtonStyle}`;
  const page = { shop: shop.name, style, title: subject, body: body.join("\n"), unsubscribe };
  return {
    to,
    subject,
    text: `${lines.join("\n\n")}\n`,
    html: documentOf(page),
    senderName: shop.name,
    ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
    ...(calendar !== undefined && { calendar }),
  };
}

/** Fills in the owner's texts. The opening is empty if the owner has written none. */
function ownedTexts(content: EmailContent, shop: Sender): { subject: string; opening?: string } {
  if ("subject" in content) return { subject: withShopName(content.subject, shop) };
  const { subject, opening } = shop.emails[content.name];
  const fill = (text: string) => fillPlaceholders(text, { ...content.values, shop: shop.name });
  return { subject: fill(subject || emailSubjects[content.name]), opening: fill(opening) };
}

/** Inline, because some mail clients drop style sheets. The others also get dark mode. */
const pageStyle =
  "margin:0;padding:24px 12px;background:#f5f6f3;color:#17201e;font:16px/1.5 system-ui,sans-serif";
const brandStyle = "max-width:560px;margin:0 auto 12px;font-weight:700;font-size:20px";
const sheetStyle =
  "max-width:512px;margin:0 auto;padding:16px 24px;border:1px solid #dcdfd9;border-radius:16px;background:#fdfdfc;overflow-wrap:break-word";
const titleStyle = "margin:8px 0 16px;font-size:22px;line-height:1.25";
const buttonStyle =
  "display:inline-block;padding:12px 24px;border-radius:24px;color:#fff;text-decoration:none";

const footerStyle = "max-width:560px;margin:16px auto 0;font-size:14px";

const darkStyle = `@media (prefers-color-scheme:dark){
body{background:#121817!important;color:#ebf0ec!important}
.sheet{background:#1a2221!important;border-color:#35403e!important}
}`;

/** For shops that have chosen no colors of their own. */
const darkButtonStyle =
  "@media (prefers-color-scheme:dark){.button{background:#7fd6b6!important;color:#07261d!important}}";

type Page = { shop: string; style: string; title: string; body: string; unsubscribe: string };

function documentOf({ shop, style, title, body, unsubscribe }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body style="${pageStyle}">
<header style="${brandStyle}">${escapeHtml(shop)}</header>
<main class="sheet" style="${sheetStyle}">
<h1 style="${titleStyle}">${escapeHtml(title)}</h1>
${body}
</main>
${unsubscribe}</body>
</html>
`;
}

function footer({ url, label }: { url: string; label: string }): string {
  return `<footer style="${footerStyle}"><a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(label)}</a></footer>
`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text).replaceAll("\n", "<br>")}</p>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
