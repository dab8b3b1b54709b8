import { once } from "node:events";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync } from "node:zlib";

const pages = ["/", "/login", "/signup", "/blogs"];

/** Compressed bytes that a browser loads for each page, and the number of elements. */
export async function bytesOfPages(site) {
  const found = {};
  for (const path of pages) {
    const { bytes, text } = await get(site, path);
    const scripts = addresses(text, /(?:src|href)="(\/[^"]+\.js)"/g);
    const styles = addresses(text, /href="(\/[^"]+\.css)"/g);
    found[path] = {
      html: bytes,
      elements: text.match(/<[a-z]/g).length,
      script: await total(site, scripts),
      css: await total(site, styles),
    };
  }
  return found;
}

function addresses(text, pattern) {
  return [...new Set([...text.matchAll(pattern)].map(([, address]) => address))];
}

async function total(site, paths) {
  const answers = await Promise.all(paths.map((path) => get(site, path)));
  return answers.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function get(site, path) {
  const headers = { "accept-encoding": "br" };
  const [answer] = await once(request(`${site}${path}`, { headers }).end(), "response");
  const body = await buffer(answer);
  const isCompressed = answer.headers["content-encoding"] === "br";
  return { bytes: body.length, text: String(isCompressed ? brotliDecompressSync(body) : body) };
}
