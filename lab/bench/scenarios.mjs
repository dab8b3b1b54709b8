import { once } from "node:events";
import { request } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { sandboxKeys } from "../../server/settings/production-checks.ts";
import { requestText, signedIn } from "./shop.mjs";

/**
 * A floor sends the same bytes from bare `node:http`, or runs the fewest statements with `pg`. The
 * floor of payments is the sandbox.
 */
export const scenarios = [
  {
    name: "public hit, JSON",
    prepare: (shop) => sameBytes(shop, `/api/categoryProducts/${shop.category}`),
  },
  { name: "public hit, HTML", prepare: (shop) => sameBytes(shop, "/") },
  {
    name: "public hit, HTML, 10 changes/s",
    prepare: async (shop) => ({ ...(await sameBytes(shop, "/")), during: await changes(shop) }),
  },
  { name: "404 page", prepare: (shop) => sameBytes(shop, "/no-such-page") },
  { name: "public miss, JSON", once: true, prepare: categoryPages },
  { name: "search", prepare: searches },
  { name: "token read", prepare: tokenReads },
  { name: "My Orders", prepare: orders },
  { name: "admin overview", prepare: (shop) => overview(shop, "/api/adminOverview", "m.is_admin") },
  {
    name: "seller overview",
    prepare: (shop) => overview(shop, "/api/sellerOverview", "m.account_type = 'seller'"),
  },
  { name: "booking", once: true, prepare: bookings },
  { name: "payment", once: true, prepare: payments },
];

async function sameBytes({ site }, path) {
  const headers = { "accept-encoding": "br" };
  const [answer] = await once(request(`${site}${path}`, { headers }).end(), "response");
  const { statusCode: status, headers: sent } = answer;
  const body = (await buffer(answer)).toString("base64");
  const requests = [requestText("GET", path)];
  return { status, requests, floor: { status, headers: sent, body }, floorRequests: requests };
}

/** Returns `start()`, which changes a laptop ten times a second and returns `stop()`. */
async function changes({ site, db }) {
  const [seller] = await signedIn(
    db,
    "exists (select from products p where p.seller_id = m.id and sales_status = 'available' and p.deleted_at is null)",
    1,
  );
  const { rows } = await db.query(
    "select id, advertise from products where seller_id = $1 and sales_status = 'available' and deleted_at is null limit 1",
    [seller.id],
  );
  const { id } = rows[0];
  let advertiseStatus = rows[0].advertise;
  const options = {
    method: "PUT",
    headers: { authorization: `Bearer ${seller.token}`, "content-type": "application/json" },
  };
  const change = async () => {
    const body = JSON.stringify({ id, advertiseStatus });
    const [answer] = await once(request(`${site}/api/products`, options).end(body), "response");
    const answered = await text(answer);
    if (answer.statusCode !== 200) throw new Error(`A change was refused: ${answered}`);
    advertiseStatus = JSON.parse(answered).advertise;
  };
  return () => {
    let last = Promise.resolve();
    const timer = setInterval(() => {
      last = last.then(change);
    }, 100);
    return async () => {
      clearInterval(timer);
      await last;
    };
  };
}

/** Requests each page of a category only once, so that no response comes from the cache. */
async function categoryPages({ db, category }) {
  const { rows } = await db.query(
    `select posted_at, id from products where category_id = $1 and sales_status = 'available' and deleted_at is null
    order by random() limit 20000`,
    [category],
  );
  const cursor = ({ posted_at, id }) =>
    Buffer.from(`${posted_at.toISOString()}|${id}`).toString("base64url");
  return {
    requests: rows.map((row) =>
      requestText("GET", `/api/categoryProducts/${category}?cursor=${cursor(row)}`),
    ),
    floor: { statements: [sql.category, sql.categoryProducts] },
    floorRequests: rows.map(({ posted_at, id }) =>
      floorRequest([[category], [category, posted_at, id]]),
    ),
  };
}

const searchSorts = ["relevance", "price", "-price", "newest", "saving"];
const searchWords = [
  "thinkpad",
  "macbook air",
  "16gb thinkpad under $500",
  "dell xps 13",
  "core i7 32 GB",
  "thinkpd x1",
  "gaming laptop",
  "hp elitebook 512gb",
  "laptop",
  "14 inch with a good battery",
];

/** Requests searches with few to very many matches. The floor is the SQL of a category page. */
async function searches({ db, category }) {
  const { floor, floorRequests } = await categoryPages({ db, category });
  const requests = searchSorts.flatMap((sort) =>
    searchWords.map((words) =>
      requestText("GET", `/api/search?q=${encodeURIComponent(words)}&sort=${sort}`),
    ),
  );
  return { requests, floor, floorRequests };
}

async function tokenReads({ db }) {
  const members = await signedIn(db, "true", 1_000);
  return {
    requests: members.map(({ email, token }) =>
      requestText("GET", `/api/users/seller/${encodeURIComponent(email)}`, { token }),
    ),
    floor: { statements: [sql.caller, sql.memberByEmail] },
    floorRequests: members.map(({ id, session, email }) => floorRequest([[id, session], [email]])),
  };
}

async function orders({ db }) {
  const members = await signedIn(db, "m.id in (select buyer_id from bookings limit 20000)", 500);
  return {
    requests: members.map(({ email, token }) =>
      requestText("GET", `/api/bookingProducts/${encodeURIComponent(email)}?limit=24`, { token }),
    ),
    floor: { statements: [sql.caller, sql.orders] },
    floorRequests: members.map(({ id, session, email }) => floorRequest([[id, session], [email]])),
  };
}

/** The floor reads only the caller's row. */
async function overview({ db }, path, condition) {
  const members = await signedIn(db, condition, 100);
  return {
    requests: members.map(({ token }) => requestText("GET", path, { token })),
    floor: { statements: [sql.caller] },
    floorRequests: members.map(({ id, session }) => floorRequest([[id, session]])),
  };
}

/** Books laptops, each with its own buyer. Skips a pair if one member has blocked the other. */
async function bookings({ db }) {
  const buyers = await signedIn(
    db,
    "m.account_type = 'buyer' and not m.is_admin and not exists (select from bookings b where b.buyer_id = m.id and b.state = 'held')",
    4_000,
  );
  const { rows: laptops } = await db.query(
    `select p.id, p.seller_id, resale_cents from products p join members s on s.id = p.seller_id
    where sales_status = 'available' and p.deleted_at is null and s.deleted_at is null and s.suspended_at is null
    order by random() limit $1`,
    [buyers.length],
  );
  const { rows: blocks } = await db.query("select member_id, blocked_id from blocked_members");
  const blocked = new Set(
    blocks.flatMap(({ member_id: one, blocked_id: other }) => [
      `${one} ${other}`,
      `${other} ${one}`,
    ]),
  );
  const pairs = laptops
    .map((laptop, at) => ({ laptop, buyer: buyers[at] }))
    .filter(({ laptop, buyer }) => !blocked.has(`${buyer.id} ${laptop.seller_id}`));
  const half = Math.floor(pairs.length / 2);
  return {
    requests: pairs.slice(0, half).map(({ laptop, buyer: { token } }) => {
      const order = { price: laptop.resale_cents / 100, phone: "5550123", location: "Station" };
      const body = { ...order, bookingProduct: { _id: laptop.id } };
      return requestText("POST", "/api/bookingProducts", { token, body });
    }),
    status: 201,
    floor: { statements: sql.booking, transaction: true },
    floorRequests: pairs
      .slice(half)
      .map(({ laptop: { id, resale_cents }, buyer }) =>
        floorRequest([[id, resale_cents], [id, buyer.id, resale_cents], [buyer.id, id], [id]]),
      ),
  };
}

/** Opens payment intents for holds. The floor opens intents directly at the sandbox. */
async function payments({ db, site }) {
  await db.query("update bookings set intent_id = null where state = 'held'");
  const payers = await signedIn(
    db,
    "not m.is_admin and m.id in (select buyer_id from bookings where state = 'held' and held_until > now())",
    4_000,
  );
  const { rows } = await db.query(
    `select id, price_cents, buyer_id as buyer from bookings
    where state = 'held' and held_until > now() and buyer_id = any($1) order by random() limit 2000`,
    [payers.map(({ id }) => id)],
  );
  const tokens = new Map(payers.map(({ id, token }) => [id, token]));
  const order = { amount: "64000", currency: "usd", "allowed_payment_method_types[0]": "card" };
  const body = String(new URLSearchParams(order));
  const headers = [
    `authorization: Bearer ${sandboxKeys.secretKey}`,
    "content-type: application/x-www-form-urlencoded",
    `content-length: ${body.length}`,
  ];
  return {
    requests: rows.map(({ id, price_cents, buyer }) =>
      requestText("POST", "/api/create-payment-intent", {
        token: tokens.get(buyer),
        body: { price: price_cents / 100, bookingId: id },
      }),
    ),
    floorPort: Number(new URL(site).port) + 1,
    floorRequests: rows.map(
      () =>
        `POST /v1/payment_intents HTTP/1.1\r\nhost: 127.0.0.1:${Number(new URL(site).port) + 1}\r\n${headers.join("\r\n")}\r\n\r\n${body}`,
    ),
  };
}

/** The fewest SQL statements that each call needs. The floor servers run these. */
const sql = {
  caller: `select m.* from members m, identity."session" s
  where m.id = $1 and m.deleted_at is null and s.id = $2 and s."expiresAt" > now()`,
  memberByEmail: "select * from members where email = $1 and deleted_at is null",
  category: "select id from categories where id = $1",
  categoryProducts: `select p.*, s.name, s.email, s.verify
  from products p join members s on s.id = p.seller_id
  where p.category_id = $1 and p.sales_status = 'available' and p.deleted_at is null
    and (p.posted_at, p.id) < ($2, $3)
  order by p.posted_at desc, p.id desc limit 25`,
  orders: `select b.*, p.*, s.name, s.email, s.verify, pay.transaction_id, refund.state
  from bookings b
  join members m on m.id = b.buyer_id
  join products p on p.id = b.product_id
  join members s on s.id = p.seller_id
  left join payments pay on pay.booking_id = b.id and pay.state = 'succeeded'
  left join payments refund on refund.booking_id = b.id and refund.state in ('refund_due', 'refunded')
  where m.email = $1 and m.deleted_at is null
  order by b.booked_at desc, b.id desc limit 25`,
  booking: [
    `update products set sales_status = 'booked'
    where id = $1 and deleted_at is null and sales_status = 'available' and resale_cents = $2`,
    `insert into bookings (id, product_id, buyer_id, price_cents, phone, location, booked_at, held_until)
    values (gen_random_uuid(), $1, $2, $3, '5550123', 'Station', now(), now() + interval '1 day')`,
    `insert into audit_log (at, actor_id, verb, object, object_id)
    values (now(), $1, 'hold', 'booking', $2)`,
    `insert into job_outbox (task, payload, run_at)
    values ('expireHold', json_build_object('bookingId', $1::uuid), now() + interval '1 day')`,
  ],
};

function floorRequest(parameters) {
  return requestText("GET", `/${encodeURIComponent(JSON.stringify(parameters))}`);
}
