import sharp from "sharp";
import type { Table } from "#contract/all-calls.ts";
import type { Person } from "#server/testing/people.ts";
import type { Kind } from "./actors.ts";
import type { Fixtures } from "./fixtures.ts";

export type Parts = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** A file to send instead of a JSON body. */
  payload?: { bytes: Buffer; type: string };
};

export type Row = {
  /** The kinds that can own the object, if any can. "admin" covers all admin roles. */
  owners?: Kind[];
  /** The kinds of member that may also request other members' objects. */
  others?: Kind[];
  /** The status of a request for another member's object; 404 by default. */
  refusal?: number;
  /** The statuses for kinds of member that are rejected even on their own objects. */
  never?: Partial<Record<Kind, number>>;
  /** Whether the response may show the contact details of the other party in a deal. */
  tellsOtherSide?: true;
  /** Prepares a request that succeeds if `owner` sends it. */
  ask(fixtures: Fixtures, owner: Person): Promise<Parts>;
};

export type Rows = Partial<Record<keyof Table, Row>>;

export const everybody: Kind[] = ["buyer", "seller", "admin"];
const staff: Kind[] = ["admin", "moderation", "support", "finance"];
export const byEmail = { owners: everybody, others: staff };
/** A member's deals by email address. Moderators may not read these lists. */
export const dealsByEmail = {
  owners: everybody,
  others: ["admin", "support", "finance"] as Kind[],
};
export const nothing = async () => ({});

/** Returns a photo encoded as `multipart/form-data`, like a browser's upload. */
export async function uploadedPhoto(): Promise<Parts> {
  const photo = sharp({ create: { width: 8, height: 8, channels: 3, background: "#358" } }).jpeg();
  const form = new FormData();
  form.append("image", new Blob([new Uint8Array(await photo.toBuffer())]), "photo.jpg");
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  return { payload: { bytes: Buffer.from(await encoded.arrayBuffer()), type } };
}
