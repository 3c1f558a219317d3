import { STATUS_PARTS, type Status, statusRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Clock, Schedule, SteadyClock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { isDatabaseAway } from '../../../platform/database/database-away.ts';
import { registerRoute } from '../../../platform/http/index.ts';
import { findProcesses } from '../../../platform/live-processes.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import { findQueueLoads, hasCompletedJobs } from '../../../platform/queue/index.ts';
import { isPortClosed } from '../../engine/index.ts';
import { verifyLongListJob, verifyShortListJob, verifySingleJob } from '../../verification/index.ts';
import type { OperatorParts } from '../actions.ts';
import { findDeclared, findIncidents, followTroubles, type Trouble } from './incidents.ts';
import { findRoughWeather } from './weather.store.ts';

type State = Status['parts'][number]['state'];

const rememberedMs = 30_000;
const minutesCounted = 10;
/** Fewer answers say nothing. */
const requestsMin = 100;
const errorShareMax = 0.01;
const waitMaxMs = { prompt: 60_000, lists: 10 * 60_000 } as const;

interface StatusParts extends OperatorParts {
  readonly clock: Clock & SteadyClock;
  readonly schedule: Schedule;
  readonly logger: Logger;
}

/**
 * The public status page: nothing about customers, and a few queries per half minute however many people open it. The process
 * checks every half minute by itself, so that incidents are recorded when nobody asks, and when no worker runs.
 */
export function registerStatusRoute(app: FastifyInstance, parts: StatusParts): void {
  const { db, clock, schedule, logger } = parts;
  const follow = createTroubleWatch(db);
  let known: { readonly status: Promise<Status>; readonly until: number } | undefined;
  let incidents: Status['incidents'] = [];
  let measured: Status['parts'] = [];

  const read = (): Promise<Status> => {
    const status = readStatus(parts)
      .then(async (current) => {
        measured = current.parts;
        incidents = await findIncidents(db, clock.now());
        return { ...current, parts: withDeclared(measured, await findDeclared(db)), incidents };
      })
      .catch((error: unknown) => {
        // The next caller tries again.
        known = undefined;
        if (!isDatabaseAway(error)) throw error;
        const nothing = allUnavailable(clock.now());
        measured = nothing.parts;
        return { ...nothing, incidents };
      });
    known = { status, until: clock.steadyMs() + rememberedMs };
    return status;
  };
  registerRoute(app, statusRoutes.getStatus, () =>
    known && clock.steadyMs() < known.until ? known.status : read(),
  );

  let checking: Promise<void> = Promise.resolve();
  let callOff: () => void;
  const check = async () => {
    try {
      await read();
      const hasChanged = await follow(measured, clock.now());
      // The page shows a new incident at once.
      if (hasChanged) known = undefined;
    } catch (error) {
      if (!isDatabaseAway(error)) logger.warn({ err: error }, 'could not check for incidents');
    }
    checkLater();
  };
  const checkLater = () => {
    callOff = schedule(() => {
      checking = check();
    }, rememberedMs);
  };
  checkLater();
  app.addHook('onClose', async () => {
    await checking;
    callOff();
  });
}

/** An incident of an operator counts like what is measured: the worse of the two is shown. */
const withDeclared = (
  parts: Status['parts'],
  declared: Awaited<ReturnType<typeof findDeclared>>,
): Status['parts'] =>
  parts.map(({ name, state }) => {
    const said = declared.find(({ part }) => part === name)?.state;
    return { name, state: said && state !== 'unavailable' ? said : state };
  });

/**
 * Records parts that fail two checks in a row. What it sees while the database is away is recorded when that is back. Resolves
 * to whether incidents may have changed.
 */
export function createTroubleWatch(db: Db): (parts: Status['parts'], now: Date) => Promise<boolean> {
  const seen = new Map<string, Trouble & { failedChecks: number }>();
  return async (parts, now) => {
    const working = parts.filter(({ state }) => state === 'operational').map(({ name }) => name);
    for (const { name: part, state } of parts) {
      if (state === 'operational') continue;
      const before = seen.get(part);
      const worst = before?.state === 'unavailable' ? before.state : state;
      seen.set(part, {
        part,
        state: worst,
        since: before?.since ?? now,
        failedChecks: (before?.failedChecks ?? 0) + 1,
      });
    }
    const troubles = [...seen.values()].filter(({ failedChecks }) => failedChecks > 1);
    await followTroubles(db, { troubles, working, now });
    for (const part of working) seen.delete(part);
    return troubles.length > 0;
  };
}

/** Nothing works without the database. */
const allUnavailable = (now: Date): Omit<Status, 'incidents'> => ({
  date: now.toISOString(),
  slow_providers: [],
  parts: STATUS_PARTS.map((name) => ({ name, state: 'unavailable' })),
});

async function readStatus({ db, clock }: OperatorParts): Promise<Omit<Status, 'incidents'>> {
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
    slow_providers: (await findRoughWeather(db, now)).map(({ provider, since }) => ({
      provider,
      start_date: since.toISOString(),
    })),
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
