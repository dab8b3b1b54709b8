import { randomUUID } from "node:crypto";
import sharp from "sharp";
import type { Answer, Call, Request } from "#contract/call.ts";
import { type Answered, CallError, send } from "#contract/client.ts";
import type { AccountType } from "#contract/members.ts";
import { addProduct } from "#contract/products.ts";
import { sessionCookie, signInDirectly } from "../adapters/identity/testing.ts";
import { newId } from "../db/ids.ts";
import { createTokens } from "../http/access-tokens.ts";
import type { Shop } from "./shop.ts";

/** A signed-in member who makes calls. */
export type Person = {
  id: string;
  email: string;
  name: string;
  /** The session, and its cookie as a browser sends it. */
  sessionId: string;
  cookie: string;
  /** A new access token, by the shop's clock. */
  token(): Promise<string>;
  /** Makes a call and returns its body; throws a `CallError` if it fails. */
  call<C extends Call>(call: C, request: Request<C>): Promise<Answer<C>>;
  /** Like `call`, with status and cursor. */
  send<C extends Call>(call: C, request: Request<C>): Promise<Answered<C>>;
};

/** Inserts a member and a session, like signing up does. */
export async function createMember(
  shop: Shop,
  {
    accountType = "buyer",
    isAdmin = false,
    verify = false,
    confirmed = true,
  }: { accountType?: AccountType; isAdmin?: boolean; verify?: boolean; confirmed?: boolean } = {},
): Promise<Person> {
  const at = shop.clock.now();
  const id = newId(at);
  const name = `${isAdmin ? "Admin" : accountType} ${id.slice(-4)}`;
  const email = `${id.slice(-12)}@example.com`;
  await shop.deps.db
    .insertInto("members")
    .values({
      id,
      name,
      email,
      account_type: accountType,
      is_admin: isAdmin,
      verify,
      created_at: at,
      confirmed_at: confirmed ? at : null,
    })
    .execute();
  const session = await signInDirectly(shop.deps.db, { id, name, email });
  const sessionId = session.id;
  const cookie = sessionCookie(session.token, shop.deps.config.secret);
  const tokens = createTokens(shop.deps.config, shop.clock);
  const token = () => tokens.issue({ memberId: id, sessionId });
  return { id, name, email, sessionId, cookie, token, ...callsWith(shop, token) };
}

/** A visitor who is not signed in. */
export function createVisitor(shop: Shop): Pick<Person, "call" | "send"> {
  return callsWith(shop);
}

function callsWith(shop: Shop, token?: Person["token"]): Pick<Person, "call" | "send"> {
  const connection = { host: `${shop.url}/api`, fetch, ...(token && { token }) };
  return {
    send: (call, request) => send(connection, call, request),
    call: async (call, request) => (await send(connection, call, request)).body,
  };
}

/** The error of a call; throws if the call succeeds. */
export async function errorOf(call: Promise<unknown>): Promise<CallError> {
  const answer = await call.then(
    (answered) => answered,
    (error: unknown) => error,
  );
  if (answer instanceof CallError) return answer;
  throw new Error(`answered instead of refused: ${JSON.stringify(answer)}`, { cause: answer });
}

/** A JPEG in a random colour. */
export async function photo({ width = 800, height = 600 } = {}): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = Buffer.from(randomUUID());
  const background = { r, g, b };
  return await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** Uploads a file like the browser does. */
export async function upload(
  shop: Shop,
  {
    token,
    bytes,
    name = "photo.jpg",
    type = "image/jpeg",
  }: { token?: string; bytes: Buffer; name?: string; type?: string },
): Promise<Response> {
  const form = new FormData();
  form.append("image", new Blob([new Uint8Array(bytes)], { type }), name);
  return await fetch(`${shop.url}/api/images/1/upload?key=embedded`, {
    method: "POST",
    body: form,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}

export async function anyCategory(shop: Shop): Promise<string> {
  const { id } = await shop.deps.db
    .selectFrom("categories")
    .select("id")
    .orderBy("position")
    .executeTakeFirstOrThrow();
  return id;
}

/** A listing without category and photo. */
export const goodLaptop = {
  product_name: "ThinkPad X1 Carbon Gen 9",
  condition: "Good" as const,
  resale_price: 640,
  original_price: 1829,
  use_duration: 30,
  location: "Leeds",
  yearOf_purchase: 2024,
  mobile_number: "5550123",
  description: "Battery at 88 %, a scratch on the lid, charger included.",
};

/** `goodLaptop` with a category and a new photo. */
export async function listing(shop: Shop, seller: Person, changes: Record<string, unknown> = {}) {
  const uploaded = await upload(shop, { token: await seller.token(), bytes: await photo() });
  const { data } = (await uploaded.json()) as { data: { url: string } };
  return { ...goodLaptop, product_categoryId: await anyCategory(shop), img: data.url, ...changes };
}

/** Lists a laptop for sale; returns its id. */
export async function sell(
  shop: Shop,
  seller: Person,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const body = await listing(shop, seller, changes);
  return (await seller.call(addProduct, { body })).insertedId;
}
