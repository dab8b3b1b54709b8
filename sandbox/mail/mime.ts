/** A mail as a person reads it. */
export type Message = { from: string; subject: string; text: string; html: string };

type Part = { header(name: string): string; body: string };

/**
 * Reads a message as it came over the wire, one character a byte: its text and HTML, alone or as
 * alternatives, in any of the transfer encodings (RFC 2045 to 2047).
 */
export function readMessage(raw: string): Message {
  const message = readPart(raw);
  const leaves = leavesOf(message);
  const content = (type: string) => {
    const leaf = leaves.find((part) => typeOf(part).startsWith(type));
    return leaf ? decodeBody(leaf) : "";
  };
  return {
    from: decodeWords(message.header("from")),
    subject: decodeWords(message.header("subject")),
    text: content("text/plain"),
    html: content("text/html"),
  };
}

function readPart(raw: string): Part {
  const end = raw.indexOf("\r\n\r\n");
  const head = end < 0 ? raw : raw.slice(0, end);
  const headers = new Map<string, string>();
  for (const line of head.replaceAll(/\r\n(?=[ \t])/g, "").split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    headers.set(name.toLowerCase(), value);
  }
  return {
    header: (name) => headers.get(name) ?? "",
    body: end < 0 ? "" : raw.slice(end + 4),
  };
}

function typeOf(part: Part): string {
  return part.header("content-type").toLowerCase() || "text/plain";
}

function leavesOf(part: Part): Part[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(part.header("content-type"))?.[1];
  if (!typeOf(part).startsWith("multipart/") || boundary === undefined) return [part];
  const [, ...parts] = `\r\n${part.body}`.split(`\r\n--${boundary}`);
  return parts
    .filter((one) => !one.startsWith("--"))
    .flatMap((one) => leavesOf(readPart(one.slice(one.indexOf("\r\n") + 2))));
}

function decodeBody(part: Part): string {
  const encoding = part.header("content-transfer-encoding").toLowerCase();
  if (encoding === "base64") return Buffer.from(part.body, "base64").toString();
  const body = encoding === "quoted-printable" ? unquote(part.body) : part.body;
  return Buffer.from(body, "latin1").toString().replaceAll("\r\n", "\n");
}

function unquote(text: string): string {
  return text
    .replaceAll(/=[ \t]*\r\n/g, "")
    .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** Encoded words in a header, such as `=?UTF-8?Q?caf=C3=A9?=`; the blank between two of them is none. */
function decodeWords(header: string): string {
  return header
    .replaceAll(/(\?=)\s+(?==\?)/g, "$1")
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) => {
      if (encoding.toLowerCase() === "b") return Buffer.from(text, "base64").toString();
      return Buffer.from(unquote(text.replaceAll("_", " ")), "latin1").toString();
    });
}
