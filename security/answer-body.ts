type Answer = { headers: Record<string, unknown>; rawPayload: Buffer; body: string };

/** An answer's body as a client reads it: JSON, or a file of its media type. */
export function answerBody({ headers, rawPayload, body }: Answer): unknown {
  const type = String(headers["content-type"]);
  if (type.startsWith("application/json")) return JSON.parse(body);
  return new File([new Uint8Array(rawPayload)], "answer", { type });
}
