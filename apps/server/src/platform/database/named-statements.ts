import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';

/** Rare statements are not worth a plan in each connection. */
const timesBeforeNamed = 10;
const namesMax = 300;
/** Statements that are counted and have no name yet. Inserts of many rows differ in length and fill it. */
const countedMax = 1_000;
const lengthMax = 10_000;

/** Over all pools of this process, because several may use one connection. */
let namesGiven = 0;

/**
 * The pool for Kysely. PostgreSQL plans an unnamed statement each time it runs, which takes longer than to run a short
 * one. Statements that this process runs often get a name, and each connection plans them once.
 * See docs/decisions/request-cost.md.
 */
export function poolWithNamedStatements(pool: pg.Pool, which: true | RegExp): PostgresPool {
  const { nameOf, dropName } = createNames(
    (text) => canBeNamed(text) && (which === true || which.test(text)),
  );
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        return await client.query({ name: nameOf(text), text, values: [...values] });
      } catch (error) {
        if (isOutdatedPlan(error)) dropName(text);
        throw error;
      }
    };
    // Kysely's other form of `query` takes a cursor, which we never give it.
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    };
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      let wrapped = clients.get(client);
      if (!wrapped) {
        wrapped = wrap(client);
        clients.set(client, wrapped);
      }
      return wrapped;
    },
  };
}

function createNames(mayBeNamed: (text: string) => boolean) {
  /** Undefined for a statement that lost its name. */
  const names = new Map<string, string | undefined>();
  const counts = new Map<string, number>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.has(text)) return known;
    if (names.size >= namesMax || !mayBeNamed(text)) return undefined;
    if (counts.size >= countedMax) counts.clear();
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count < timesBeforeNamed) return undefined;
    counts.delete(text);
    const name = `often ${namesGiven}`;
    namesGiven += 1;
    names.set(text, name);
    return name;
  };
  return { nameOf, dropName: (text: string) => void names.set(text, undefined) };
}

/** A migration changed the type of a column. PostgreSQL then refuses the statement in each connection that planned it before. */
const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/**
 * A named statement must keep the types of its columns. One that selects all columns would fail in processes that already
 * run when a migration adds a column.
 */
const canBeNamed = (text: string): boolean =>
  text.length <= lengthMax &&
  /^\s*(?:select|with|insert|update|delete)\b/i.test(text) &&
  (!/(?:^|[\s.,])\*/.test(text) || enqueuesJobs.test(text));

/** Of pg-boss. It reads all columns of a record whose columns it names itself, and answers with ids. */
const enqueuesJobs = /^\s*insert into queue\.\w+ \([^;]*\bfrom json_to_recordset\(/i;
