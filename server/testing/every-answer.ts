import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { headersOf } from "../../security/access-matrix/actors.ts";
import type { Person } from "./people.ts";
import type { Shop } from "./shop.ts";

/** Makes all GET calls with these ids and emails. Returns successful paths and bodies. */
export async function everyAnswer(
  shop: Shop,
  ids: string[],
  member: Person | undefined,
): Promise<string[]> {
  const answers: string[] = [];
  const headers = member ? await headersOf(member) : {};
  const addresses = ids.filter((id) => id.includes("@"));
  for (const call of Object.values<Call>(table).filter(({ method }) => method === "GET")) {
    const given = call.path.includes("{email}") ? addresses : ids;
    const urls = new Set(
      given.map((id) => call.path.replace(/\{(id|email)\}/, encodeURIComponent(id))),
    );
    for (const url of urls) {
      const answer = await shop.app.inject({ url: `${call.at ? "" : "/api"}${url}`, headers });
      if (answer.statusCode < 300) answers.push(`${url} ${answer.body}`);
    }
  }
  return answers;
}
