import pg from 'pg';
import { vi } from 'vitest';

/** What the queue and the processes do by the clock, however many checks there are, and plans for the check of owners. */
const isUpkeep = (text: string): boolean =>
  upkeep.test(text) && !/with recursive owner|insert into queue\.job/i.test(text);
const upkeep =
  /^explain|lock_timeout|__pgboss__|queue\.(?:queue|version|schedule)\b|heartbeat_on|as free \(name\)|select distinct worker_number|pg_stat|operation_counts|live_processes|request_allowances|api_key_calls|"last_used_at" =/i;

export interface CountedStatements {
  /** So far. */
  readonly cost: { readonly statements: number; readonly transactions: number };
  heartbeats(): number;
  stop(): void;
}

/** Counts the statements of this process, in which a test runs the API and perhaps a worker. */
export function countStatements(): CountedStatements {
  const cost = { statements: 0, transactions: 0 };
  let heartbeats = 0;
  const inTransaction = new WeakSet<object>();
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...input: unknown[]
  ) {
    const [first, second] = input as [string | { text?: string }, unknown[] | undefined];
    const text = (typeof first === 'string' ? first : first?.text) ?? '';
    if (text.includes('heartbeat_on = queue.job_now()') && text.includes('ANY($2')) {
      heartbeats += (second?.[1] as unknown[] | undefined)?.length ?? 0;
    }
    if (!isUpkeep(text)) {
      cost.statements += 1;
      if (!inTransaction.has(this)) cost.transactions += 1;
      if (/^begin/i.test(text)) inTransaction.add(this);
      if (/^(?:commit|rollback)/i.test(text)) inTransaction.delete(this);
    }
    return (query as (...input: unknown[]) => unknown).apply(this, input) as never;
  });
  return { cost, heartbeats: () => heartbeats, stop: () => spy.mockRestore() };
}
