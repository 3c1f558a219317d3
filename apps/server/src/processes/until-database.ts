import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../platform/config/index.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { withDirectConnection } from '../platform/database/direct-connection.ts';

const patienceMs = 30_000;
const retryMs = 1_000;

interface WaitingProcess {
  readonly logger: { warn(fields: { readonly err: unknown }, text: string): void };
  readonly stopAsked: Promise<unknown>;
}

/**
 * Waits while the database or its pooler is away, so that a machine may start everything in any order. Throws what is wrong
 * when patience ends, or at once when waiting would not help. Resolves with false when the process is asked to stop.
 */
export async function untilDatabaseAnswers(
  { url, directUrl }: Pick<Config['database'], 'url' | 'directUrl'>,
  { logger, stopAsked }: WaitingProcess,
): Promise<boolean> {
  const endsAt = performance.now() + patienceMs;
  let isStopped = false;
  void stopAsked.then(() => {
    isStopped = true;
  });
  for (const databaseUrl of new Set([directUrl, url])) {
    for (let tries = 0; !isStopped; tries += 1) {
      try {
        await withDirectConnection({ databaseUrl, applicationName: 'assay start' }, (client) =>
          client.query('select 1'),
        );
        break;
      } catch (error) {
        if (isStopped) break;
        if (!isDatabaseAway(error) || performance.now() > endsAt) throw error;
        if (tries === 0) logger.warn({ err: error }, 'the database is away; waiting for it');
        await Promise.race([pause(retryMs), stopAsked]);
      }
    }
  }
  return !isStopped;
}
