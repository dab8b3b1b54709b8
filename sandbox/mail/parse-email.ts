import PostalMime from "postal-mime";

export type Message = { from: string; subject: string; text: string; html: string };

/** Parses a MIME message. Missing parts become empty strings. */
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
