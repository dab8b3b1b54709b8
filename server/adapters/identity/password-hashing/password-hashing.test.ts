import { afterAll, expect, test } from "vitest";
import { owaspScrypt, quickScrypt } from "../../../config.ts";
import { parseHashConfig, storeFirebaseHash } from "./firebase-scrypt.ts";
import { passwordHashing } from "./password-hashing.ts";
import { openScryptThreads, type ScryptJob } from "./scrypt-threads.ts";

const threads = openScryptThreads();
afterAll(() => threads.close());

test("passwords are hashed with OWASP's parameters, which are stored in the hash", async () => {
  const { hash, verify } = passwordHashing(threads, owaspScrypt);
  const hashed = await hash("Secret#2026");
  expect(hashed).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w-]{22}\$[\w-]{86}$/);
  expect(await verify("Secret#2026", hashed)).toEqual({ isRight: true, isOutdated: false });
});

test("a hash with other parameters is verified and reported as outdated", async () => {
  const { verify } = passwordHashing(threads, owaspScrypt);
  const quick = passwordHashing(threads, quickScrypt);
  const hashed = await quick.hash("Secret#2026");
  expect(await verify("Secret#2026", hashed)).toEqual({ isRight: true, isOutdated: true });
  expect(await verify("Secret#2027", hashed)).toMatchObject({ isRight: false });
  const wrong = await quick.verify("Secret#2027", hashed);
  expect(wrong).toEqual({ isRight: false, isOutdated: false });
});

/** The example published at github.com/firebase/scrypt. */
const published = {
  config: `hash_config {
    algorithm: SCRYPT,
    base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
    base64_salt_separator: Bw==,
    rounds: 8,
    mem_cost: 14,
  }`,
  salt: "42xEC+ixf3L2lw==",
  passwordHash:
    "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
};

test("a password hashed by Firebase is verified without storing the project's key", async () => {
  const { verify } = passwordHashing(threads, owaspScrypt);
  const parameters = parseHashConfig(published.config);
  const hashed = String(parameters && storeFirebaseHash(published, parameters));
  expect(hashed).toMatch(/^\$firebase-scrypt\$ln=14,r=8,p=1\$[\w-]+\$[\w-]{86}$/);
  expect(hashed).not.toContain(parameters?.signerKey.toString("base64url"));
  expect(await verify("user1password", hashed)).toEqual({ isRight: true, isOutdated: true });
  expect(await verify("user2password", hashed)).toMatchObject({ isRight: false });
  expect(parseHashConfig(published.config.replace("mem_cost: 14", "mem_cost: 30"))).toBeUndefined();
});

test("verification throws if the stored string is not a hash", async () => {
  const { verify } = passwordHashing(threads, quickScrypt);
  await expect(verify("", "")).rejects.toThrow("unknown format");
});

test("a hashing job that fails does not affect the next job", async () => {
  const job: ScryptJob = { password: "a", salt: "b", length: 64, cost: { N: 3, r: 8, p: 1 } };
  await expect(threads.derive(job, "client")).rejects.toThrow();
  expect(await threads.derive({ ...job, cost: quickScrypt }, "client")).toHaveLength(64);
});

test("ten passwords from one client can wait in the queue while both threads work for other clients", async () => {
  const job: ScryptJob = { password: "a", salt: "b", length: 64, cost: quickScrypt };
  const otherJobs = ["one", "another"].map((client) => threads.derive(job, client));
  const ten = Array.from({ length: 10 }, () => threads.derive(job, "client"));
  expect(() => threads.derive(job, "client")).toThrow("try again in a few seconds");
  expect(await Promise.all([...otherJobs, ...ten])).toHaveLength(12);
});
