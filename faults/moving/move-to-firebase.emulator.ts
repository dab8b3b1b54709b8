import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import {
  formatHash,
  parseHash,
} from "#server/adapters/identity/password-hashing/password-hashing.ts";
import {
  findAllAccounts,
  insertProviderAccount,
  olderPasswordHash,
  setPasswordHash,
  signInDirectly,
  updateUser,
} from "#server/adapters/identity/testing.ts";
import { openBrowser } from "#server/testing/browser.ts";
import { run, waitForExit } from "#server/testing/program.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";

// The emulator can't verify our password hashes, so passwords are tried only after the move back.
const count = 1_000;
const project = "demo-moving";
const emulator = `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}`;

let folder: string;
let parts: string;
let home: Shop;
let back: Shop;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-moving-"));
  parts = await mkdtemp(join(tmpdir(), "secondlap-moving-"));
  home = await openShop();
  back = await openShop();
});
afterAll(async () => {
  await home.close();
  await back.close();
  for (const made of [folder, parts]) await rm(made, { recursive: true });
});

const emailOf = (index: number) => `member-${index}@example.com`;
const passwordOf = (index: number) => `Secret#${index}`;

/** Adds an account. `index` decides its password format, Google sign-in and verification. */
async function addAccount({ deps: { db }, passwords }: Shop, index: number): Promise<void> {
  const [id, email] = [`member-${index}`, emailOf(index)];
  const name = index % 5 === 0 ? `Åsa "Q" O'Neil, 李 ${index}` : `Member ${index}`;
  await signInDirectly(db, { id, name, email });
  if (index % 3 === 0) await updateUser(db, email, { emailVerified: false });
  const password = passwordOf(index);
  if (index % 100 === 99) await setPasswordHash(db, email, olderPasswordHash(password));
  else if (index % 10 !== 7) await setPasswordHash(db, email, await passwords.hash(password));
  if (index % 10 === 7 || index % 10 === 1) {
    await updateUser(db, email, { emailVerified: true });
    await insertProviderAccount(db, { userId: id, providerId: "google", accountId: `g-${index}` });
  }
}

async function identity({ databaseUrl }: Shop, verb: string): Promise<string> {
  const program = run({ DATABASE_URL: databaseUrl }, ["server/cli/identity.ts", verb, folder]);
  const { code, said } = await waitForExit(program);
  expect(code, said).toBe(0);
  return said;
}

async function firebase(args: string[]): Promise<void> {
  const command = [String(process.env.FIREBASE_TOOLS), ...args, "--project", project];
  const child = spawn(process.execPath, [...command, "--non-interactive"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CI: "1",
      FIREBASE_GOOGLE_URL: `${emulator}/www.googleapis.com`,
      // Never sent, because the emulator's administrator has the fixed token "owner".
      FIREBASE_TOKEN: "any",
      FIREBASE_SKIP_INFORMATIONAL_IAM: "1",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect(code, said).toBe(0);
}

/** Imports 250 accounts at a time, because the emulator limits requests to 100 kB. */
async function importInParts([verb = "", file = "", ...options]: string[]): Promise<void> {
  const all = await usersIn(file);
  const part = join(parts, "part.json");
  for (let start = 0; start < all.length; start += 250) {
    await writeFile(part, JSON.stringify({ users: all.slice(start, start + 250) }));
    await firebase([verb, part, ...options]);
  }
}

const provider = z.object({ providerId: z.string() });
const user = z.object({
  email: z.string(),
  passwordHash: z.string().optional(),
  salt: z.string().optional(),
  // Firebase lists the password as a provider.
  providerUserInfo: z
    .array(provider.loose())
    .default([])
    .transform((all) => all.filter(({ providerId }) => providerId !== "password")),
});
const users = z.object({ users: z.array(user.loose()) });

async function usersIn(file: string) {
  return users.parse(JSON.parse(await readFile(resolve(folder, file), "utf8"))).users;
}

async function usersAtFirebase() {
  const url = `${emulator}/identitytoolkit.googleapis.com/v1/projects/${project}/accounts:batchGet?maxResults=1000`;
  const answer = await fetch(url, { headers: { authorization: "Bearer owner" } });
  return users.parse(await answer.json()).users;
}

const inOrder = <T extends { email: string }>(all: T[]) =>
  all.toSorted((one, other) => one.email.localeCompare(other.email));

/** `firebase auth:import` sends web-safe base64. */
const webSafe = (base64?: string) => base64?.replaceAll("/", "_").replaceAll("+", "-");

async function accountsOf({ deps }: Shop) {
  const all = await findAllAccounts(deps.db);
  const format = (hash: string | null) => hash && formatHash(parseHash(hash));
  const byMethod = all.map((one) => ({ ...one, password: format(one.password) }));
  return byMethod.toSorted((a, b) =>
    `${a.id} ${a.providerId}`.localeCompare(`${b.id} ${b.providerId}`),
  );
}

test(`with Firebase's own commands, ${count} accounts move to Firebase and back to an empty shop with unchanged hashes, names and verified addresses`, async () => {
  for (let index = 0; index < count; index += 1) await addAccount(home, index);
  const commands = [...(await identity(home, "export")).matchAll(/\d+ accounts: firebase (.*)/g)];
  const files = await readdir(folder);
  expect(commands).toHaveLength(files.length);
  for (const [, command = ""] of commands) await importInParts(command.split(" "));

  const sent = (await Promise.all(files.map(usersIn))).flat();
  expect(sent).toHaveLength(count);
  const stored = await usersAtFirebase();
  const expected = sent.map(({ passwordHash, salt, ...rest }) => ({
    ...rest,
    ...(passwordHash !== undefined && { passwordHash: webSafe(passwordHash), salt: webSafe(salt) }),
  }));
  expect(inOrder(stored)).toMatchObject(inOrder(expected));
  expect(stored).toHaveLength(count);

  await firebase(["auth:export", "from-firebase.json"]);
  expect(await usersIn("from-firebase.json")).toHaveLength(count);
  const said = await identity(back, "import");
  expect(said).toContain(`from-firebase.json: ${count} accounts imported, 0 skipped`);
  expect(await accountsOf(back)).toEqual(await accountsOf(home));
  for (let index = 0; index < count; index += 33) {
    const [email, password] = [emailOf(index), passwordOf(index)];
    const logIn = (given: string) =>
      openBrowser(back.url).post("/sign-in/email", { email, password: given });
    expect((await logIn(password)).status, email).toBe(index % 10 === 7 ? 401 : 200);
    expect((await logIn("Wrong#2026")).status).toBe(401);
  }
});
