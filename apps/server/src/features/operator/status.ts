import { type Status, statusRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SteadyClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { isDatabaseAway } from '../../platform/database/database-away.ts';
import { registerRoute } from '../../platform/http/index.ts';
import { findProcesses } from '../../platform/live-processes.ts';
import { findQueueLoads, hasCompletedJobs } from '../../platform/queue/index.ts';
import { isPortClosed } from '../engine/index.ts';
import { verifyLongListJob, verifyShortListJob, verifySingleJob } from '../verification/index.ts';
import type { OperatorParts } from './actions.ts';

type State = Status['parts'][number]['state'];

const rememberedMs = 30_000;
const minutesCounted = 10;
/** Fewer answers say nothing. */
const requestsMin = 100;
const errorShareMax = 0.01;
const waitMaxMs = { prompt: 60_000, lists: 10 * 60_000 } as const;

/** The public status page: nothing about customers, and a few queries per half minute however many people look. */
export function registerStatusRoute(
  app: FastifyInstance,
  parts: OperatorParts & { readonly clock: SteadyClock },
): void {
  let known: { readonly status: Promise<Status>; readonly until: number } | undefined;
  registerRoute(app, statusRoutes.getStatus, () => {
    const now = parts.clock.steadyMs();
    if (known && now < known.until) return known.status;
    const status = readStatus(parts).catch((error: unknown) => {
      // The next caller tries again.
      known = undefined;
      if (isDatabaseAway(error)) return allUnavailable(parts.clock.now());
      throw error;
    });
    known = { status, until: now + rememberedMs };
    return status;
  });
}

/** Nothing works without the database. */
const allUnavailable = (now: Date): Status => ({
  date: now.toISOString(),
  parts: (['api', 'verification', 'lists'] as const).map((name) => ({ name, state: 'unavailable' })),
});

async function readStatus({ db, clock }: OperatorParts): Promise<Status> {
  const now = clock.now();
  const isStopped = (await isPortClosed(db, now)) || !(await hasWorker(db));
  const loads = await findQueueLoads(db, now);
  const waitMs = (queue: string) => {
    const oldestSince = loads.find(({ name }) => name === queue)?.oldestSince;
    return oldestSince ? now.getTime() - oldestSince.getTime() : 0;
  };
  const stateOf = (isSlow: boolean): State => {
    if (isStopped) return 'unavailable';
    return isSlow ? 'degraded' : 'operational';
  };
  // All pieces of a long list wait from its start, so it is slow only if none of them gets done.
  const isLongListSlow = async () =>
    waitMs(verifyLongListJob.name) > waitMaxMs.lists &&
    !(await hasCompletedJobs(db, verifyLongListJob.name, new Date(now.getTime() - waitMaxMs.lists)));
  const areListsSlow = waitMs(verifyShortListJob.name) > waitMaxMs.lists || (await isLongListSlow());
  return {
    date: now.toISOString(),
    parts: [
      { name: 'api', state: (await hasManyErrors(db, now)) ? 'degraded' : 'operational' },
      { name: 'verification', state: stateOf(waitMs(verifySingleJob.name) > waitMaxMs.prompt) },
      { name: 'lists', state: stateOf(areListsSlow) },
    ],
  };
}

const hasWorker = async (db: Db): Promise<boolean> =>
  (await findProcesses(db)).some(({ kind, isLive }) => kind === 'worker' && isLive);

async function hasManyErrors(db: Db, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - minutesCounted * 60_000);
  const { rows } = await sql<{ requests: number; errors: number }>`
    select coalesce(sum(count) filter (where name = 'requests'), 0)::bigint as requests,
      coalesce(sum(count) filter (where name = 'errors'), 0)::bigint as errors
    from operation_counts where name in ('requests', 'errors') and bucket >= ${since}`.execute(db);
  const { requests = 0, errors = 0 } = rows[0] ?? {};
  return requests >= requestsMin && errors / requests > errorShareMax;
}
