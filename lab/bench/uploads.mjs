import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import { root } from "../../scripts/run.mjs";

const accounts = ["seller@demo.test", "devon@demo.test", "priya@demo.test"];

/** Uploads 12-megapixel photos, four at a time. `avifDone` waits for the job that encodes AVIF. */
export async function uploadPhotos(site, count) {
  const photos = await largePhotos(count);
  const tokens = await Promise.all(accounts.map((email) => signIn(site, email)));
  const urls = [];
  const began = performance.now();
  const lane = async () => {
    for (let photo = photos.pop(); photo; photo = photos.pop())
      urls.push(await upload(site, tokens[photos.length % tokens.length], photo));
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return {
    seconds: (performance.now() - began) / 1000,
    avifDone: () => Promise.all(urls.map(avifOf)),
  };
}

async function upload(site, token, photo) {
  const body = new FormData();
  body.append("image", new Blob([photo]), "photo.jpg");
  const answer = await fetch(`${site}/api/images/1/upload?key=embedded`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (!answer.ok) throw new Error(`An upload was refused: ${await answer.text()}`);
  return (await answer.json()).data.url;
}

async function avifOf(url) {
  const headers = { accept: "image/avif" };
  const isThere = async () => {
    const answer = await fetch(url.replace(".jpg", "-640.webp"), { headers });
    await answer.arrayBuffer();
    return answer.headers.get("content-type") === "image/avif";
  };
  while (!(await isThere())) await wait(100);
}

async function largePhotos(count) {
  const folder = join(root, "demo/photos");
  const names = readdirSync(folder).filter((name) => name.endsWith(".webp"));
  const enlarge = (name) =>
    sharp(join(folder, name)).resize(4000, 3000, { fit: "cover" }).jpeg({ quality: 90 }).toBuffer();
  return await Promise.all(names.slice(0, count).map(enlarge));
}

async function signIn(site, email) {
  const entered = await fetch(`${site}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: site },
    body: JSON.stringify({ email, password: "Demo#2026" }),
  });
  const cookies = entered.headers.getSetCookie().map((one) => one.split(";")[0]);
  const issued = await fetch(`${site}/api/jwt?email=${email}`, {
    headers: { cookie: cookies.join("; ") },
  });
  return (await issued.json()).accessToken;
}
