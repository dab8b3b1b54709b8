import type { SecondFactors, Session } from "#contract/account.ts";
import type { StaffRole } from "#contract/roles.ts";
import type { SessionRow } from "../../adapters/identity/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordOwnChange } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError } from "../../errors.ts";

export type InSession = { member: Member; sessionId: string };

const maxListed = 100;

/** Lists the current session first, then the most recently used. */
export async function listSessions(
  { db, identity }: Deps,
  { member, sessionId }: InSession,
): Promise<Session[]> {
  const page = { first: sessionId, limit: maxListed };
  const rows = await identity.sessions.list(db, member.email, page);
  return rows.map((row) => toSession(row, sessionId));
}

export function toSession(
  { id, userAgent, createdAt, updatedAt }: SessionRow,
  currentId: string,
): Session {
  return {
    _id: id,
    device: deviceName(userAgent),
    startedAt: createdAt.toISOString(),
    lastSeenAt: updatedAt.toISOString(),
    current: id === currentId,
  };
}

/** Throws `NOT_FOUND`. */
export async function endSession(deps: Deps, { member }: InSession, id: string): Promise<void> {
  const ended = await end(deps, member, { id });
  if (ended === 0) throw new AppError("NOT_FOUND", "That session has ended already.");
}

/** Returns the number of ended sessions. */
export async function endOtherSessions(
  deps: Deps,
  { member, sessionId }: InSession,
): Promise<number> {
  return await end(deps, member, { except: sessionId });
}

async function end(
  { db, clock, identity }: Deps,
  member: Member,
  which: { id: string } | { except: string },
): Promise<number> {
  return await transact(db, "endSessions", async (tx) => {
    const sessions = await identity.sessions.end(tx, member.email, which);
    if (sessions === 0) return 0;
    const entry = { at: clock.now(), member: member.id, verb: "end sessions" };
    await recordOwnChange(tx, { ...entry, detail: { sessions } });
    return sessions;
  });
}

/** Ordered, because Edge, Opera and Samsung Internet also name Chrome or Safari. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: [RegExp, string][] = [
  [/\bWindows\b/, "Windows"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** Such as "Chrome on Windows". */
export function deviceName(userAgent: string | null): string {
  const find = (names: [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}

/** Makes the session fresh again. Throws `WRONG_PASSWORD`. */
export async function confirmPassword(
  deps: Deps,
  { member, sessionId }: InSession,
  { password, address }: { password: string; address: string },
): Promise<void> {
  const { email } = member;
  if (!(await deps.identity.isPassword({ email, password, address }))) {
    const message = "That is not your password. Check it and try again.";
    throw fieldError("password", message, "WRONG_PASSWORD");
  }
  const at = deps.clock.now();
  await transact(deps.db, "confirmPassword", async (tx) => {
    await deps.identity.sessions.confirm(tx, sessionId, at);
    await recordOwnChange(tx, { at, member: member.id, verb: "confirm password" });
  });
}

export async function readSecondFactors(
  { db, config, identity }: Deps,
  { member, sessionId }: InSession,
): Promise<SecondFactors> {
  const staffRole = await readStaffRole(db, member.id);
  const { authenticatorApp, passkeys } = await identity.secondFactors.read(db, member.email);
  return {
    authenticatorApp,
    passkeys: passkeys.map(({ id, name, createdAt }) => ({
      _id: id,
      name: name ?? "Passkey",
      addedAt: createdAt.toISOString(),
    })),
    hasPassword: await identity.accounts.hasPassword(db, member.email),
    required: config.requireAdminSecondFactor && staffRole !== null,
    shown: await identity.sessions.hasShownSecondFactor(db, sessionId),
    staffRole,
  };
}

/** Reads the stored role: `Member.staffRole` is null while a required second factor is missing. */
async function readStaffRole(tx: Tx, memberId: string): Promise<StaffRole | null> {
  const { staff_role } = await tx
    .selectFrom("members")
    .select("staff_role")
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  return staff_role;
}
