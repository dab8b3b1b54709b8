import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { findUser, updateUser } from "../adapters/identity/testing.ts";
import { openBrowser, signUpIn } from "../testing/browser.ts";
import { identity, identityTest } from "../testing/identity-command.ts";

const test = identityTest();

test("the shop's own export restores a password that Firebase's export omits, but not an outdated one or one set by someone who claimed the address", async ({
  shop,
  other,
  folder,
}) => {
  const email = {
    kept: "kept@example.com",
    // This member's new password was set at Firebase, and its hash parameters are missing.
    changed: "changed@example.com",
    // Eve signed up with this address, but its owner later signed in at Firebase with Google.
    claimed: "claimed@example.com",
  };
  for (const one of Object.values(email)) await signUpIn(shop.url, one);
  for (const one of [email.kept, email.changed])
    await updateUser(shop.deps.db, one, { emailVerified: true });
  const files = join(folder, "files");
  await mkdir(files);
  await identity(shop, "export", files);
  const own = JSON.parse(await readFile(join(files, "accounts-scrypt-N16-r8-p1.json"), "utf8"));
  const users = own.users.map(({ passwordHash, salt, ...user }: { [field: string]: string }) => ({
    ...user,
    emailVerified: true,
    ...(user.email === email.changed && { passwordHash: "bmV3", salt: "bmV3" }),
  }));
  await writeFile(join(files, "from-firebase.json"), JSON.stringify({ users }));
  const said = await identity(other, "import", files);
  expect(said).toContain("from-firebase.json: 3 accounts imported, 0 skipped");
  expect(said).toContain("accounts-scrypt-N16-r8-p1.json: 1 of those skipped have their password");
  const logIn = async (address: string) => {
    const credentials = { email: address, password: "Secret#2026" };
    return (await openBrowser(other.url).post("/sign-in/email", credentials)).status;
  };
  expect(await logIn(email.kept)).toBe(200);
  expect(await logIn(email.changed)).toBe(401);
  expect(await logIn(email.claimed)).toBe(401);
  const { id } = await findUser(shop.deps.db, email.kept);
  expect(await findUser(other.deps.db, email.kept)).toMatchObject({ id, emailVerified: true });
});
