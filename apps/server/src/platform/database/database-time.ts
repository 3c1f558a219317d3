import { sql } from 'kysely';
import type { Db } from './database.ts';

/** The time by the clock of the database, which all processes share: for waits that one of them notes and another ends. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  return (rows[0] as { now: Date }).now;
}
