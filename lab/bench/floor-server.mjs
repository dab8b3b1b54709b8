import { createServer } from "node:http";
import pg from "pg";

/** `bytes` sends fixed bytes; `sql` runs statements on a pool as large as the product's. */
process.once("message", async (floor) => {
  const handle = floor.statements ? await sql(floor) : bytes(floor);
  const server = createServer(handle);
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
});
process.once("disconnect", () => process.exit());

function bytes({ status, headers, body }) {
  const answer = Buffer.from(body, "base64");
  return (_, response) => response.writeHead(status, headers).end(answer);
}

async function sql({ statements, transaction, databaseUrl }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  // Connections break when the measured program stops its PostgreSQL.
  pool.on("error", () => {});
  return async (request, response) => {
    const parameters = JSON.parse(decodeURIComponent(request.url.slice(1)));
    const rows = await run(pool, { statements, transaction, parameters });
    const body = JSON.stringify(rows);
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    response.writeHead(200, headers).end(body);
  };
}

async function run(pool, { statements, transaction, parameters }) {
  const client = await pool.connect();
  let rows = [];
  if (transaction) await client.query("begin");
  for (const [at, text] of statements.entries())
    ({ rows } = await client.query({ name: `floor-${at}`, text, values: parameters[at] }));
  if (transaction) await client.query("commit");
  client.release();
  return rows;
}
