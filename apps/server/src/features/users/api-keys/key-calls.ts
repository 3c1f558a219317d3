import { type KeyCall, type PageQuery, usersRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { type Clock, type Schedule, systemSchedule } from '../../../platform/clock.ts';
import { type RowPage, writeCsv } from '../../../platform/csv/write-rows.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { registerRoute } from '../../../platform/http/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import { findKeyOf } from './api-keys.store.ts';
import { type CallOfKey, findCalls, findLastCalls, insertCalls, trimCalls } from './key-calls.store.ts';
import { findKey, findKeys } from './scoped-keys.store.ts';

interface RecorderParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly schedule?: Schedule;
}

const flushEveryMs = 1_000;
/** While the database is away, further calls are not recorded. */
const waitingMax = 10_000;
/** Trimming after each batch would cost more than the batch. */
const callsPerTrim = 100;
/** A process forgets when it trimmed which key, so that this does not grow. */
const trimmedKeysMax = 10_000;

/**
 * Records each answer to an API key. Gathered in memory and written with one statement a second, so that no call waits for
 * it. A killed process loses the calls of that second.
 */
export function recordKeyCalls(api: FastifyInstance, parts: RecorderParts): void {
  const { db, clock, logger, schedule = systemSchedule } = parts;
  const callsSinceTrim = new Map<string, number>();
  let waiting: CallOfKey[] = [];
  let writing: Promise<void> = Promise.resolve();
  let callOff: (() => void) | undefined;

  api.addHook('onResponse', async (request, reply) => {
    const { callingKey, routeOptions } = request;
    const { contract } = routeOptions.config;
    if (!callingKey || !contract || waiting.length >= waitingMax) return;
    waiting.push({
      ...callingKey,
      calledAt: clock.now(),
      call: `${contract.method} ${contract.path}`,
      httpStatus: reply.statusCode,
      tookMs: Math.round(reply.elapsedTime),
    });
    callOff ??= schedule(() => void flush(), flushEveryMs);
  });
  api.addHook('onClose', () => {
    callOff?.();
    return flush();
  });

  function flush(): Promise<void> {
    const calls = waiting;
    waiting = [];
    callOff = undefined;
    if (calls.length === 0) return writing;
    writing = writing
      .then(() => write(calls))
      .catch((error) => logger.warn({ err: error }, 'could not write the calls of API keys'));
    return writing;
  }

  async function write(calls: readonly CallOfKey[]): Promise<void> {
    await insertCalls(db, calls);
    const due = [...Map.groupBy(calls, ({ keyId }) => keyId).values()]
      .filter(isTrimDue)
      .map(([call]) => call);
    const keys = due.filter((call) => call !== undefined);
    if (keys.length > 0) await trimCalls(db, keys);
  }

  /** Also at the first calls in this process: an earlier one may have ended before it trimmed. */
  function isTrimDue(calls: readonly CallOfKey[]): boolean {
    const keyId = calls[0]?.keyId ?? '';
    const count = (callsSinceTrim.get(keyId) ?? callsPerTrim) + calls.length;
    if (callsSinceTrim.size >= trimmedKeysMax) callsSinceTrim.clear();
    callsSinceTrim.set(keyId, count < callsPerTrim ? count : 0);
    return count >= callsPerTrim;
  }
}

export function registerKeyCallRoutes(app: FastifyInstance, { db }: Pick<RecorderParts, 'db'>): void {
  registerRoute(app, usersRoutes.listKeyCalls, async ({ caller, params: { id }, query }) =>
    listCalls(db, { ownerId: caller.accountId, keyId: id }, query),
  );
}

async function listCalls(db: Db, place: { ownerId: AccountId; keyId: string }, page: PageQuery) {
  const { ownerId, keyId } = place;
  const isFirst = (await findKeyOf(db, ownerId))?.id === keyId;
  if (!isFirst && !(await findKey(db, { ownerId, id: keyId })))
    throw new AppError('api_key_not_found', { keyId });
  const { rows, total } = await findCalls(db, place, page);
  return { results: rows.map(callAnswer), total };
}

const callAnswer = (row: Awaited<ReturnType<typeof findLastCalls>>[number]): KeyCall => ({
  date: row.called_at.toISOString(),
  call: row.call,
  http_status: row.http_status,
  took_ms: row.took_ms,
});

const columns = ['api_key_id', 'date', 'call', 'http_status', 'took_ms'] as const;

/** The calls of all keys of a customer, as a CSV file. */
export const exportKeyCalls = (db: Db, ownerId: AccountId): AsyncGenerator<Buffer> =>
  writeCsv(columns, pagesOf(db, ownerId));

async function* pagesOf(db: Db, ownerId: AccountId): AsyncGenerator<RowPage> {
  const first = await findKeyOf(db, ownerId);
  const keys = [...(first ? [first] : []), ...(await findKeys(db, ownerId))];
  for (const { id } of keys) {
    const calls = await findLastCalls(db, { ownerId, keyId: id });
    yield calls.values().map((row) => {
      const cells = { api_key_id: id, ...callAnswer(row) };
      return columns.map((column) => String(cells[column]));
    });
  }
}
