import { sql } from "kysely";
import { mayTakeHours } from "../../db/pipelined-transactions.ts";
import type { Deps } from "../../deps.ts";

/** Beyond so many listings their words are counted in a sixteenth of them. */
const mostRead = 50_000;

/** Counts the words of the listings. */
export async function refreshVocabulary({ db }: Deps): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ estimate: number }>`
      select reltuples::integer as estimate from pg_class where oid = 'search_documents'::regclass`.execute(
      tx,
    );
    const isLarge = (rows[0]?.estimate ?? 0) > mostRead;
    const sample = isLarge ? " and tokens @@ '''=sample16'''" : "";
    const documents = `select tokens from search_documents where listed and version <> 0${sample}`;
    await sql`set local statement_timeout = '60s'`.execute(tx);
    await sql`
      with counted as (
        select word as term, ndoc as frequency from ts_stat(${sql.lit(documents)})
        where word ~ '^[a-z]{3,30}$' and word !~ '^use(gaming|light|business|creative|rugged|cheap|student)$'
      ), removed as (
        delete from search_vocabulary where term not in (select term from counted)
      )
      insert into search_vocabulary (term, frequency) select term, frequency from counted
      on conflict (term) do update set frequency = excluded.frequency
      where search_vocabulary.frequency <> excluded.frequency ${sql.raw(mayTakeHours)}`.execute(tx);
  });
}
