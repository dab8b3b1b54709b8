import { createHash } from "node:crypto";
import { DamagedFile, type ImageStore } from "../../adapters/images/port.ts";
import type { Database } from "../../db/database.ts";
import { jpegName } from "./photo-files.ts";

export type Move = { db: Database["db"]; from: ImageStore; to: ImageStore };

/** Counts of photos and files, and names of failed files. `present`: already at the destination. */
export type MoveResult = {
  photos: number;
  copied: number;
  present: number;
  missing: string[];
  damaged: string[];
};

export type End = "copied" | "present" | "missing" | "damaged";

/** Copies one file, unless the destination already has an intact copy. */
export async function moveFile({ from, to }: Omit<Move, "db">, name: string): Promise<End> {
  const [original, copy] = await Promise.all([readIntact(from, name), readIntact(to, name)]);
  if (typeof original === "string") return typeof copy === "string" ? original : "present";
  if (typeof copy !== "string" && copy.equals(original)) return "present";
  // `put` doesn't replace an existing file.
  if (copy !== "missing") await to.delete(name);
  await to.put(name, original);
  const written = await readIntact(to, name);
  return typeof written !== "string" && written.equals(original) ? "copied" : "damaged";
}

/** The names of JPEGs contain the hash of the file. The names of private photos are random. */
const hashedName = /^[0-9a-f]{64}\.jpg$/;

async function readIntact(
  store: ImageStore,
  name: string,
): Promise<Buffer | "missing" | "damaged"> {
  try {
    const bytes = await store.read(name);
    if (bytes === undefined) return "missing";
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return hashedName.test(name) && name !== jpegName(sha256) ? "damaged" : bytes;
  } catch (error) {
    if (error instanceof DamagedFile) return "damaged";
    throw error;
  }
}
