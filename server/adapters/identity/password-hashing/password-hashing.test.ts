import { hashPassword as hashOfBefore } from "better-auth/crypto";
import { afterAll, expect, test } from "vitest";
import { owaspScrypt, quickScrypt } from "../../../settings/scrypt-cost.ts";
import { passwordHashing } from "./password-hashing.ts";
import { openScryptThreads, type ScryptJob } from "./scrypt-threads.ts";

const threads = openScryptThreads();
afterAll(() => threads.close());

test("a password is hashed with OWASP's parameters, and the hash names them", async () => {
  const { hash, verify } = passwordHashing(threads, owaspScrypt);
  const hashed = await hash("Secret#2026");
  expect(hashed).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w-]{22}\$[\w-]{86}$/);
  expect(await verify("Secret#2026", hashed)).toEqual({ isRight: true, isOutdated: false });
  expect(await verify("Secret#2027", hashed)).toEqual({ isRight: false, isOutdated: false });
});

test("a hash with other parameters is verified by its own, and is outdated", async () => {
  const { verify } = passwordHashing(threads, owaspScrypt);
  for (const hashed of [
    await hashOfBefore("Secret#2026"),
    await passwordHashing(threads, quickScrypt).hash("Secret#2026"),
  ]) {
    expect(await verify("Secret#2026", hashed)).toEqual({ isRight: true, isOutdated: true });
    expect(await verify("Secret#2027", hashed)).toMatchObject({ isRight: false });
  }
});

test("what is no hash is an error, and lets nobody in", async () => {
  const { verify } = passwordHashing(threads, quickScrypt);
  await expect(verify("", "")).rejects.toThrow("no known format");
});

test("a job a thread can't do fails alone; the next one is done", async () => {
  const job: ScryptJob = { password: "a", salt: "b", length: 64, cost: { N: 3, r: 8, p: 1 } };
  await expect(threads.derive(job, "client")).rejects.toThrow();
  expect(await threads.derive({ ...job, cost: quickScrypt }, "client")).toHaveLength(64);
});
