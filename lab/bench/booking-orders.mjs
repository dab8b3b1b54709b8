import { createTokens } from "../../server/http/access-tokens.ts";

export const priceCents = 64_000;

/** Returns `take(n)`, which returns n unused pairs of a laptop and its signed-in buyer. */
export async function createOrders(pool, count) {
  await pool.query(fill, [count, priceCents]);
  await pool.query("vacuum analyze");
  const { rows } = await pool.query(`
    select members.id as buyer, members.name, members.email, session.id as session, products.id as product
    from members join identity.session session on session."userId" = members.id::text
    join products on products.product_name = members.name order by members.name`);
  let taken = 0;
  return (wanted) => {
    if (taken + wanted > rows.length) throw new Error(`There are only ${rows.length} orders.`);
    taken += wanted;
    return rows.slice(taken - wanted, taken);
  };
}

/** Signed as the server signs them. */
export async function tokensOf(orders, secret) {
  const tokens = createTokens({ secret, previousSecret: undefined }, { now: () => new Date() });
  return await Promise.all(
    orders.map(({ buyer, session }) => tokens.issue({ memberId: buyer, sessionId: session })),
  );
}

const fill = `
  with sellers as (
    insert into members (id, name, email, account_type, created_at, confirmed_at)
    select uuidv7(), 'Seller ' || n, 'seller' || n || '@example.com', 'seller', now(), now()
    from generate_series(1, 200) n returning id
  ), buyers as (
    insert into members (id, name, email, account_type, created_at, confirmed_at)
    select uuidv7(), 'Buyer ' || n, 'buyer' || n || '@example.com', 'buyer', now(), now()
    from generate_series(1, $1::int) n returning id, name, email
  ), users as (
    insert into identity."user" (id, name, email, "emailVerified") select id::text, name, email, true from buyers
    returning id
  ), sessions as (
    insert into identity.session (id, "userId", token, "expiresAt", "updatedAt")
    select gen_random_uuid()::text, id, gen_random_uuid()::text, now() + interval '1 week', now() from users
  ), numbered as (select array_agg(id) as ids from sellers)
  insert into products (
    id, category_id, seller_id, product_name, condition, resale_cents, original_cents, use_duration, location,
    year_of_purchase, mobile_number, description, img, posted_at
  )
  select uuidv7(), (select id from categories where position = 1 + n % 12), ids[1 + n % 200], 'Buyer ' || n,
    'Good', $2, 182900, 30, 'Leeds', 2024, '5550123',
    'Battery at 88 %, a scratch on the lid, charger included.', '/images/none.jpg', now()
  from numbered, generate_series(1, $1::int) n`;
