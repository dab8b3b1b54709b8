import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";

/** Sends one request from `localAddress`. The status of a broken connection is "broken". */
export async function ask(site, path, { body, ...options }) {
  try {
    const [answer] = await once(request(`${site}${path}`, options).end(body), "response");
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  } catch {
    return { status: "broken" };
  }
}
