import { z } from "zod";
import { type Handover, issueHandoverCode } from "#contract/handover.ts";
import { browserApi } from "#web/api/api.ts";
import { draftKey } from "#web/ui/clear-drafts.ts";

const codeShown = z.object({ code: z.string(), issuedAt: z.string() });
type CodeShown = z.output<typeof codeShown>;

/** The tab stores the code until sign-out: the server has only a hash (decisions/handover). */
export async function codeFor({ _id, code }: Handover): Promise<CodeShown> {
  const kept = readKept(_id);
  if (kept && kept.issuedAt === code?.issuedAt && !code.locked) return kept;
  const { body } = await browserApi(issueHandoverCode, { body: { id: _id } });
  sessionStorage.setItem(keyOf(_id), JSON.stringify(body));
  return body;
}

export function forgetCode(bookingId: string): void {
  sessionStorage.removeItem(keyOf(bookingId));
}

function readKept(bookingId: string): CodeShown | undefined {
  const text = sessionStorage.getItem(keyOf(bookingId));
  return text === null ? undefined : codeShown.safeParse(JSON.parse(text)).data;
}

function keyOf(bookingId: string): string {
  return draftKey(`handover code ${bookingId}`);
}
