import { createCipheriv, randomBytes, scryptSync } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import {
  findProviderAccounts,
  findUser,
  insertProviderAccount,
  olderPasswordHash,
  setPasswordHash,
  signInDirectly,
  updateUser,
} from "../adapters/identity/testing.ts";
import { logIn, password, signUpIn } from "../testing/browser.ts";
import { shopTest } from "../testing/fixtures.ts";
import { run, waitForExit } from "../testing/program.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { exportTo, importFrom } from "./identity.ts";

/** Adds a second shop to move accounts to, and a folder for the files. */
const test = shopTest()
  .extend("other", { scope: "file" }, async ({ options }, { onCleanup }) => {
    const other = await openShop(options);
    onCleanup(() => other.close());
    return other;
  })
  .extend("folder", { scope: "file" }, async ({ options: _ }, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), "secondlap-identity-"));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  });

async function runIdentity({ databaseUrl }: Shop, verb: string, path: string) {
  const program = run({ DATABASE_URL: databaseUrl }, ["server/cli/identity.ts", verb, path]);
  return await waitForExit(program);
}

/** Like `npm run identity`, but in this process. */
async function identity({ deps: { db } }: Shop, verb: "export" | "import", path: string) {
  return verb === "export" ? await exportTo(db, path) : await importFrom(db, path);
}

async function readAll(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(path, name), "utf8")));
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ""]));
}

/** Creates a folder to import from, with these accounts as Firebase exports them. */
async function exported(folder: string, users: object[], hashConfig?: string): Promise<string> {
  const incoming = await mkdtemp(join(folder, "incoming-"));
  await writeFile(join(incoming, "export.json"), JSON.stringify({ users }));
  if (hashConfig) await writeFile(join(incoming, "hash-config.txt"), hashConfig);
  return incoming;
}

const current = "accounts-scrypt-N16-r8-p1.json";
const older = "accounts-scrypt-N16384-r16-p1.json";

test("accounts exported for `firebase auth:import` can be imported with their passwords", async ({
  shop,
  other,
  folder,
}) => {
  const emails = ["ada@example.com", "bea@example.com"];
  for (const email of emails) await signUpIn(shop.url, email);
  await setPasswordHash(shop.deps.db, "bea@example.com", olderPasswordHash("Older#2026"));
  const files = join(folder, "files");
  const { code, said } = await runIdentity(shop, "export", files);
  expect(code, said).toBe(0);
  expect(said).toContain(
    `1 accounts: firebase auth:import ${files}/${current} --hash-algo=STANDARD_SCRYPT --mem-cost=16 --block-size=8 --parallelization=1 --dk-len=64`,
  );
  expect(said).toContain("--mem-cost=16384 --block-size=16 --parallelization=1 --dk-len=64");
  expect((await stat(join(files, current))).mode & 0o777).toBe(0o600);

  const texts = await readAll(files);
  expect(Object.keys(texts)).toEqual([current, older]);
  const { users } = JSON.parse(texts[current] ?? "");
  const { id } = await findUser(shop.deps.db, "ada@example.com");
  expect(users).toEqual([
    {
      localId: id,
      email: "ada@example.com",
      emailVerified: false,
      displayName: "Grace Hopper",
      passwordHash: expect.any(String),
      salt: expect.any(String),
      createdAt: expect.stringMatching(/^\d{13}$/),
      providerUserInfo: [],
    },
  ]);
  // Firebase computes standard scrypt with the decoded salt.
  const [{ passwordHash, salt }] = users;
  const key = scryptSync(password, Buffer.from(salt, "base64"), 64, { N: 16, r: 8, p: 1 });
  expect(passwordHash).toBe(key.toString("base64"));

  expect(await runIdentity(other, "import", files)).toMatchObject({
    code: 0,
    said: expect.stringContaining(`${current}: 1 accounts imported`),
  });
  for (const [email, text] of [
    ["ada@example.com", password],
    ["bea@example.com", "Older#2026"],
  ] as const) {
    const { browser } = await logIn(other.url, email, { password: text });
    const { id } = await findUser(shop.deps.db, email);
    expect(await browser.user()).toMatchObject({ id, email });
  }
});

test("a second import skips a thousand imported accounts, and an export returns them unchanged", async ({
  folder,
}) => {
  const users = Array.from({ length: 1_000 }, (_, n) => ({
    localId: `firebase-${String(n).padStart(4, "0")}`,
    email: `member-${n}@example.com`,
    emailVerified: n % 2 === 0,
    displayName: `Member ${n}`,
    photoUrl: `https://photos.example.com/${n}.webp`,
    passwordHash: scryptSync(`Secret#${n}`, `salt-${n}`, 64, { N: 16, r: 8, p: 1 }).toString(
      "base64",
    ),
    salt: Buffer.from(`salt-${n}`).toString("base64"),
    createdAt: String(1_700_000_000_000 + n),
    providerUserInfo:
      n % 6 === 0
        ? [{ providerId: "google.com", rawId: `g-${n}`, email: `member-${n}@example.com` }]
        : [],
  }));
  const file = JSON.stringify({ users }, null, 1);
  const incoming = await mkdtemp(join(folder, "incoming-"));
  await writeFile(join(incoming, current), file);
  const empty = await openShop();
  expect(await identity(empty, "import", incoming)).toContain("1000 accounts imported, 0 skipped");
  expect(await identity(empty, "import", incoming)).toContain("0 accounts imported, 1000 skipped");
  const again = join(folder, "again");
  await identity(empty, "export", again);
  expect(await readAll(again)).toEqual({ [current]: file });
  const signIn = logIn(empty.url, "member-999@example.com", { password: "Secret#999" });
  expect((await signIn).status).toBe(200);
  await empty.close();
});

const signerKey = randomBytes(64);
const hashConfig = `base64_signer_key: ${signerKey.toString("base64")}, base64_salt_separator: Bw==, rounds: 2, mem_cost: 4`;

/** Hashes a password as Firebase does: encrypts the project's signer key with the derived key. */
function firebaseHash(text: string) {
  const [salt, separator] = [randomBytes(8), Buffer.from([7])];
  const cost = { N: 2 ** 4, r: 2, p: 1 };
  const derived = scryptSync(text, Buffer.concat([salt, separator]), 64, cost);
  const cipher = createCipheriv("aes-256-ctr", derived.subarray(0, 32), Buffer.alloc(16));
  const passwordHash = cipher.update(signerKey).toString("base64");
  return { passwordHash, salt: salt.toString("base64") };
}

const createdAt = "1700000000000";
const cora = { localId: "f1", email: "Cora@Example.com", emailVerified: true, createdAt };
const google = { providerId: "google.com", rawId: "g-1", email: "cora@example.com" };

test("an import replaces names that sign-up refuses: those with contact details or that are too long", async ({
  shop,
  folder,
}) => {
  const names = {
    "grace.hopper@example.com": ["Call +1 415 555 0132", "grace hopper"],
    "ida@example.com": ["I".repeat(81), "ida"],
    "joan@example.com": ["Joan Clarke", "Joan Clarke"],
  };
  const users = Object.entries(names).map(([email, [displayName]]) => ({
    ...cora,
    localId: email,
    email,
    displayName,
  }));
  await identity(shop, "import", await exported(folder, users));
  for (const [email, [, name]] of Object.entries(names))
    expect(await findUser(shop.deps.db, email)).toMatchObject({ name });
});

test("without the project's hash parameters, an import skips passwords and counts the members who need a new one", async ({
  shop,
  folder,
}) => {
  const hashed = { ...firebaseHash(password), lastSignedInAt: "1700000000001" };
  const users = [{ ...cora, ...hashed, providerUserInfo: [google] }];
  expect(await identity(shop, "import", await exported(folder, users))).toContain(
    "export.json: 1 accounts imported, 0 skipped because they exist already, 1 need a new password.",
  );
  expect(await findProviderAccounts(shop.deps.db, "cora@example.com")).toMatchObject([
    { providerId: "google", accountId: "g-1", password: null },
  ]);
});

test("with the project's hash parameters, members can log in with their Firebase passwords after an import", async ({
  folder,
}) => {
  const users = [
    { ...cora, ...firebaseHash(password) },
    { ...cora, ...firebaseHash(password), localId: "f2", email: "dora@example.com" },
  ];
  const incoming = await exported(folder, users, hashConfig);
  // Dora signed in with Firebase while this shop used Firebase, so she has no password here.
  const back = await openShop();
  const { db } = back.deps;
  await signInDirectly(db, { id: "f2", name: "Dora", email: "dora@example.com" });
  await setPasswordHash(db, "dora@example.com", null);
  const said = await identity(back, "import", incoming);
  expect(said).toContain("1 accounts imported, 1 skipped because they exist already, 0 need");
  expect(said).toContain("export.json: 1 of those skipped have their password back.");
  for (const email of ["cora@example.com", "dora@example.com"]) {
    const status = async (text = password) =>
      (await logIn(back.url, email, { password: text })).status;
    expect(await status("Wrong#2026")).toBe(401);
    const exportedTo = join(folder, `hashes-of-${email}`);
    expect(await identity(back, "export", exportedTo)).toContain("Without their password");
    expect(await status()).toBe(200);
    const [account] = await findProviderAccounts(db, email);
    expect(account?.password).toMatch(/^\$scrypt\$ln=4,/);
    expect(await status()).toBe(200);
  }
  expect(await identity(back, "import", incoming)).toContain("0 accounts imported, 2 skipped");
  await back.close();
});

test("an import skips disabled accounts, and passwords set by someone who claimed a member's email address", async ({
  folder,
}) => {
  const evesAccount = { ...firebaseHash("OfEve#2026"), createdAt, providerUserInfo: [google] };
  const users = [
    // Ada changed her address at Firebase, and Eve registered Ada's old address.
    { ...firebaseHash(password), createdAt, localId: "ada", email: "ada-now@example.com" },
    { ...evesAccount, localId: "eve", email: "ada-before@example.com" },
    // Eve gave up an address that she had claimed, and the address's owner joined.
    { ...evesAccount, localId: "claimed", email: "eve@example.com" },
    { ...firebaseHash(password), createdAt, localId: "bea", email: "bea-claimed@example.com" },
    { ...evesAccount, localId: "unverified", email: "unverified@example.com" },
    { ...evesAccount, localId: "disabled", email: "disabled@example.com", disabled: true },
  ];
  const back = await openShop();
  const { db } = back.deps;
  for (const [id, email] of [
    ["ada", "ada-before@example.com"],
    ["claimed", "bea-claimed@example.com"],
  ] as const) {
    await signInDirectly(db, { id, name: "Member", email });
    await setPasswordHash(db, email, null);
  }
  const link = { userId: "claimed", providerId: "firebase", accountId: "bea" };
  await insertProviderAccount(db, link);
  const said = await identity(back, "import", await exported(folder, users, hashConfig));
  expect(said).toContain("export.json: 1 not imported because they are disabled at Firebase.");
  const passwordsOf = async (email: string) =>
    (await findProviderAccounts(db, email)).map((one) => [one.providerId, one.password !== null]);
  expect(await passwordsOf("ada-before@example.com")).toEqual([["credential", false]]);
  expect(await passwordsOf("unverified@example.com")).toEqual([["credential", true]]);
  expect(await passwordsOf("disabled@example.com")).toEqual([]);
  const bea = "bea-claimed@example.com";
  expect((await logIn(back.url, bea, { password: "OfEve#2026" })).status).toBe(401);
  expect((await logIn(back.url, bea)).status).toBe(200);
  await back.close();
});

test("the shop's own export restores a password that Firebase's export omits, but not an outdated one or one set by someone who claimed the address", async ({
  folder,
  onTestFinished,
}) => {
  const [home, moved] = [await openShop(), await openShop()];
  for (const shop of [home, moved]) onTestFinished(() => shop.close());
  const email = {
    kept: "kept@example.com",
    // This member's new password was set at Firebase, and its hash parameters are missing.
    changed: "changed@example.com",
    // Eve signed up with this address, but its owner later signed in at Firebase with Google.
    claimed: "claimed@example.com",
  };
  for (const one of Object.values(email)) await signUpIn(home.url, one);
  for (const one of [email.kept, email.changed])
    await updateUser(home.deps.db, one, { emailVerified: true });
  const files = join(folder, "own-files");
  await identity(home, "export", files);
  const own = JSON.parse(await readFile(join(files, current), "utf8"));
  const users = own.users.map(({ passwordHash, salt, ...user }: { [field: string]: string }) => ({
    ...user,
    emailVerified: true,
    ...(user.email === email.changed && { passwordHash: "bmV3", salt: "bmV3" }),
  }));
  await writeFile(join(files, "from-firebase.json"), JSON.stringify({ users }));
  const said = await identity(moved, "import", files);
  expect(said).toContain("from-firebase.json: 3 accounts imported, 0 skipped");
  expect(said).toContain("accounts-scrypt-N16-r8-p1.json: 1 of those skipped have their password");
  expect((await logIn(moved.url, email.kept)).status).toBe(200);
  expect((await logIn(moved.url, email.changed)).status).toBe(401);
  expect((await logIn(moved.url, email.claimed)).status).toBe(401);
  const { id } = await findUser(home.deps.db, email.kept);
  expect(await findUser(moved.deps.db, email.kept)).toMatchObject({ id, emailVerified: true });
});

test("an import of malformed hash parameters or accounts is rejected with a message that says what is wrong", async ({
  shop,
  folder,
}) => {
  const incoming = await exported(folder, [{ localId: "x" }]);
  await expect(identity(shop, "import", incoming)).rejects.toThrow("users[0].email");
  await writeFile(join(incoming, "hash-config.txt"), "algorithm: SCRYPT");
  const { code, said } = await runIdentity(shop, "import", incoming);
  expect(code).toBe(1);
  expect(said).toContain("hash-config.txt must be the text that the Firebase console shows");
});
