import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { hostedServices } from "../adapters/hosted-services.ts";
import { firebaseApi } from "../adapters/identity/firebase-api.ts";
import { openIdMetadata } from "../adapters/identity/google-and-openid-sign-in.ts";
import { imageFolder, imageStore } from "../adapters/images/image-store.ts";
import { type ImageStore, privateFolder } from "../adapters/images/port.ts";
import { cardsOf, hostOf, mailOf, payoutsOf, type Service } from "../adapters/provider-checks.ts";
import { ignoreMissing } from "../backup/tables.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { openDatabase } from "../db/database.ts";
import { readServerState, type ServerState } from "../db/replica.ts";
import type { FirebaseProject } from "../settings/firebase.ts";
import { withDatabase } from "./run-command.ts";

export function servicesOf(config: Config): Service[] {
  return [
    databaseOf(config),
    ...replicasOf(config),
    ...cardsOf(config),
    ...payoutsOf(config),
    ...(config.firebase ? [firebaseOf(config.firebase, config)] : signInOf(config)),
    mailOf(config),
    ...photosOf(config),
  ];
}

function databaseOf({ databaseUrl, dataDir }: Config): Service {
  const check = () => withDatabase((db) => sql`select 1`.execute(db));
  const name = "Database";
  if (databaseUrl !== undefined)
    return { name, uses: `PostgreSQL at ${hostOf(databaseUrl)}`, settings: "DATABASE_URL", check };
  const isThere = existsSync(join(dataDir, "postgres"));
  const embedded = { name, uses: "embedded PostgreSQL", settings: "DATA_DIR" };
  return { ...embedded, check: isThere ? check : undefined };
}

function replicasOf(config: Config): Service[] {
  return config.databaseReplicaUrls.map((url) => ({
    name: "Database: replica",
    uses: `PostgreSQL at ${hostOf(url)}`,
    settings: "DATABASE_REPLICA_URL",
    check: () => checkReplica(url, config),
  }));
}

function signInOf(config: Config): Service[] {
  const providers = hostedServices(config, undefined).signInProviders;
  const google = { name: "Sign-in: Google", uses: "sandbox", settings: "GOOGLE_CLIENT_ID" };
  return [
    ...(config.google || config.production ? [] : [{ ...google, check: undefined }]),
    ...providers.map(({ id, label, issuer }) => ({
      name: `Sign-in: ${label}`,
      uses: issuer,
      settings: id === "google" ? "GOOGLE_CLIENT_ID" : "OIDC_ISSUER",
      check: openIdMetadata(issuer, systemClock),
    })),
  ];
}

/** Checks the API key. If there is a service account, also looks up a user who doesn't exist. */
function firebaseOf(project: FirebaseProject, { publicUrl }: Config): Service {
  const { admin, checkKey } = firebaseApi(project, { clock: systemClock, publicUrl });
  return {
    name: "Sign-in: Firebase",
    uses: `${project.emulatorUrl ? "emulator, " : ""}project ${project.projectId}`,
    settings: "FIREBASE_API_KEY and FIREBASE_SERVICE_ACCOUNT",
    async check() {
      await checkKey();
      await admin?.findAccount({ localId: ["doctor"] });
    },
  };
}

/** An image host's key isn't checked, because only an upload could check it. */
function photosOf(config: Config): Service[] {
  const { s3, imageHost } = config;
  const store = imageStore(config);
  const services: Service[] = [
    {
      name: "Photos",
      uses: s3 ? `S3 bucket ${s3.bucket}` : "data folder",
      settings: s3 ? "S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY" : "DATA_DIR",
      check: () => store.read(`${"0".repeat(64)}.jpg`),
    },
    {
      name: "Photos: private",
      uses: s3 ? `${s3.bucket}/${privateFolder}` : "data folder",
      settings: "Private photos in docs/operations.md",
      check: () =>
        s3 ? requireUnreadable(s3, store) : requireOwnModes(imageFolder(config.dataDir)),
    },
  ];
  if (imageHost)
    services.push({
      name: "Image host",
      uses: hostOf(imageHost.url),
      settings: "IMAGE_HOST_URL",
      check: () => requireAnswer(imageHost.url),
    });
  return services;
}

async function requireAnswer(url: string): Promise<void> {
  const { status } = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(5_000) });
  if (status >= 500) throw new Error(`It answers ${status}`);
}

/**
 * Throws unless the server is a replica, or the primary while another server is listed too.
 * Operators list every server that may become the primary. Returns a remark to print, if any.
 */
export async function checkReplica(url: string, config: Config): Promise<string | undefined> {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrls } = config;
  const listed = await readState(url);
  if (!listed.isPrimary) return undefined;
  const primary = await readState(databaseDirectUrl ?? databaseUrl ?? "");
  if (listed.start !== primary.start)
    throw new Error("it is no replica, and not the primary of DATABASE_URL either");
  const all = await Promise.all(
    databaseReplicaUrls.map((one) => readState(one).catch(() => undefined)),
  );
  // A server that does not respond counts as a replica here. Its own check reports the failure.
  if (all.every((one) => one?.start === primary.start))
    throw new Error("it is no replica, and no other is listed, so nothing is read from one");
  return "it is the primary now";
}

async function readState(url: string): Promise<ServerState> {
  const { db, pool } = openDatabase(url, { connections: 1 });
  return await readServerState(db).finally(() => pool.end());
}

type Bucket = NonNullable<Config["s3"]>;

/** Throws if a test photo can be read or listed without credentials. */
async function requireUnreadable(s3: Bucket, store: ImageStore): Promise<void> {
  const name = `${privateFolder}doctor-${randomUUID()}.jpg`;
  await store.put(name, Buffer.from(name));
  try {
    const bucket = bucketAddress(s3);
    const addresses = [`${bucket}/${name}`, `${bucket}/?list-type=2&prefix=${name}`];
    if (s3.publicUrl) addresses.push(`${s3.publicUrl}/${name}`);
    for (const address of addresses) {
      const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) });
      if (answer.ok && (await answer.text()).includes(name))
        throw new Error(`Anybody can read ${privateFolder} at ${new URL(address).host}`);
    }
  } finally {
    await store.delete(name);
  }
}

function bucketAddress({ endpoint, region, bucket, pathStyle }: Bucket): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  return url.href.replace(/\/+$/, "") + (pathStyle ? `/${bucket}` : "");
}

/** Checks every file, because files that the operator copied may have other modes. */
async function requireOwnModes(images: string): Promise<void> {
  const folder = join(images, privateFolder);
  const isOpen = async (path: string) => ((await stat(path)).mode & 0o077) !== 0;
  // The folder does not exist before the first private photo.
  const names = await readdir(folder, { recursive: true }).catch(ignoreMissing);
  if (!names) return;
  for (const path of [folder, ...names.map((name) => join(folder, name))])
    if (await isOpen(path))
      throw new Error(`Other users of this machine can read ${path}. Run chmod -R go= ${folder}`);
}
