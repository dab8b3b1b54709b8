import { z } from "zod";
import { email } from "#contract/text.ts";
import type { ScryptCost } from "../../config.ts";
import type { Tx } from "../../db/database.ts";
import {
  type FirebaseScrypt,
  parseFirebaseHash,
  storeFirebaseHash,
} from "./password-hashing/firebase-scrypt.ts";
import { formatHash, keyLength, parseHash } from "./password-hashing/password-hashing.ts";

/** In the JSON that `firebase auth:import` reads and `auth:export` writes. */
const firebaseAccount = z.object({
  localId: z.string().min(1).max(128),
  email,
  emailVerified: z.boolean().default(false),
  disabled: z.boolean().optional(),
  displayName: z.string().default(""),
  photoUrl: z.string().optional(),
  passwordHash: z.string().optional(),
  salt: z.string().optional(),
  /** Milliseconds since 1970. */
  createdAt: z.string().regex(/^\d{1,15}$/),
  providerUserInfo: z
    .array(z.object({ providerId: z.string(), rawId: z.string(), email: z.string().optional() }))
    .default([]),
});

export type FirebaseAccount = z.output<typeof firebaseAccount>;

/** All accounts in a file share hash parameters, which `firebase auth:import` needs as options. */
export const firebaseAccounts = z.object({ users: z.array(firebaseAccount) });

export const withoutPasswords = "accounts-without-password.json";

function fileNameFor({ N, r, p }: ScryptCost): string {
  return `accounts-scrypt-N${N}-r${r}-p${p}.json`;
}

export function costOfFile(name: string): ScryptCost | undefined {
  const [, N, r, p] = /^accounts-scrypt-N(\d+)-r(\d+)-p(\d+)\.json$/.exec(name) ?? [];
  return p === undefined ? undefined : { N: Number(N), r: Number(r), p: Number(p) };
}

export function importCommand(path: string, cost: ScryptCost | undefined): string {
  if (!cost) return `firebase auth:import ${path}`;
  const options = [
    "--hash-algo=STANDARD_SCRYPT",
    `--mem-cost=${cost.N}`,
    `--block-size=${cost.r}`,
    `--parallelization=${cost.p}`,
    `--dk-len=${keyLength}`,
  ];
  return `firebase auth:import ${path} ${options.join(" ")}`;
}

/** Undefined for a hash made by Firebase, whose format needs a project key that we don't store. */
function toFirebasePassword(hash: string) {
  if (parseFirebaseHash(hash)) return undefined;
  const { cost, salt, key } = parseHash(hash);
  const passwordHash = key.toString("base64");
  return { cost, fields: { passwordHash, salt: Buffer.from(salt).toString("base64") } };
}

/** By Firebase, or with `auth:import`'s standard scrypt. */
export type PasswordFormat = { standard: ScryptCost } | { firebase: FirebaseScrypt };

/** Undefined without a password, or if the hash's format is unsupported. */
export function fromFirebasePassword(
  { passwordHash, salt }: Pick<FirebaseAccount, "passwordHash" | "salt">,
  format: PasswordFormat | undefined,
): string | undefined {
  if (passwordHash === undefined || salt === undefined || !format) return undefined;
  if ("firebase" in format) return storeFirebaseHash({ passwordHash, salt }, format.firebase);
  const key = Buffer.from(passwordHash, "base64");
  const text = Buffer.from(salt, "base64").toString("latin1");
  if (key.length !== keyLength || !/^[\w-]+$/.test(text)) return undefined;
  return formatHash({ cost: format.standard, salt: text, key });
}

type ExportedAccounts = {
  /** By file name. */
  files: Map<string, FirebaseAccount[]>;
  /** Passkeys and authenticator apps, which Firebase's format can't contain. */
  secondFactors: number;
  /** Passwords that Firebase hashed and that were never used to log in here. */
  firebaseHashes: number;
};

export async function exportAccounts(tx: Tx): Promise<ExportedAccounts> {
  const users = await tx
    .selectFrom("identity.user")
    .selectAll()
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  const accounts = await tx
    .selectFrom("identity.account")
    .select(["userId", "providerId", "accountId", "password"])
    .execute();
  const accountsOf = Map.groupBy(accounts, ({ userId }) => userId);
  const files = new Map<string, FirebaseAccount[]>();
  let firebaseHashes = 0;
  for (const user of users) {
    const own = accountsOf.get(user.id) ?? [];
    const hash = own.find(({ password }) => password !== null)?.password;
    const password = hash ? toFirebasePassword(hash) : undefined;
    if (hash && !password) firebaseHashes += 1;
    const name = password ? fileNameFor(password.cost) : withoutPasswords;
    const file = files.get(name) ?? [];
    files.set(name, file);
    file.push({
      localId: user.id,
      email: user.email,
      emailVerified: user.emailVerified,
      displayName: user.name,
      ...(user.image !== null && { photoUrl: user.image }),
      ...password?.fields,
      createdAt: String(user.createdAt.getTime()),
      // Google is our only provider that `firebase auth:import` accepts.
      providerUserInfo: own
        .filter(({ providerId }) => providerId === "google")
        .map((at) => ({ providerId: "google.com", rawId: at.accountId, email: user.email })),
    });
  }
  return { files, secondFactors: await countSecondFactors(tx), firebaseHashes };
}

async function countSecondFactors(tx: Tx): Promise<number> {
  const factors = await tx
    .selectFrom("identity.twoFactor")
    .select("id")
    .where("verified", "=", true)
    .unionAll(tx.selectFrom("identity.passkey").select("id"))
    .execute();
  return factors.length;
}
