import { sql } from 'kysely';
import { migrate } from '../../platform/database/migrate.ts';
import { withCopyConnection } from './backup/copy-connection.ts';
import { RestoreRefused, refuseInUse } from './backup/restore-backup.ts';
import { type CatchUpParts, catchUpAfterRestore, type RestoreEnd } from './catch-up-after-restore.ts';

/** Call it before the command itself connects. */
export const requireStopped = (directUrl: string): Promise<void> =>
  withCopyConnection({ url: directUrl, applicationName: 'assay recover' }, refuseInUse);

/** Processes renew their sign of life every few seconds, and clocks differ. */
const marginMs = 60_000;
const recentMs = 5 * 60_000;

/**
 * Repeats what `assay restore` does after loading, for a database that other tools have brought back to an earlier moment:
 * point-in-time recovery, `pg_restore`. May be repeated.
 */
export async function recoverDatabase(
  parts: CatchUpParts,
  { directUrl, since }: { readonly directUrl: string; readonly since: Date | undefined },
): Promise<RestoreEnd & { readonly since: Date }> {
  await migrate(directUrl);
  const { db } = parts;
  const recoveredTo = since ?? (await findLastSign(parts));
  // Until the end, processes refuse to start.
  await sql`insert into unfinished_restores (started_at)
    select now() where not exists (select from unfinished_restores)`.execute(db);
  return { ...(await catchUpAfterRestore(parts, recoveredTo)), since: recoveredTo };
}

/** The last sign of life of a process is about the moment to which the database was recovered. */
async function findLastSign({ db }: CatchUpParts): Promise<Date> {
  const { rows } = await sql<{ seen: Date | null }>`select max(seen_at) as seen from live_processes`.execute(
    db,
  );
  const seen = rows[0]?.seen;
  if (!seen || Date.now() - seen.getTime() < recentMs) {
    // A process that ran after the recovery has left its sign.
    throw new RestoreRefused(
      'The database does not say to which moment it was recovered. Give it with --since TIME.',
    );
  }
  return new Date(seen.getTime() - marginMs);
}
