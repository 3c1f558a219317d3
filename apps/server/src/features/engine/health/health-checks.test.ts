import type { EgressReport } from '@assay/verifier';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../platform/logging/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { movableClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { askForCheck, findHealth, saveHealth } from './health.store.ts';
import { showHealth, startHealthChecks } from './health-checks.ts';
import { createPortGate } from './port-gate.ts';

const report = (isPortClosed: boolean): EgressReport => ({
  findings: [
    { check: 'port_25', status: isPortClosed ? 'problem' : 'ok', detail: 'detail', fix: 'fix' },
    { check: 'spf', status: 'skipped', detail: 'detail' },
  ],
  isPortClosed,
  isListed: false,
});

/** Timers that fire when the test says so. */
function manualSchedule() {
  const tasks = new Set<() => void>();
  const schedule = (task: () => void) => {
    tasks.add(task);
    return () => void tasks.delete(task);
  };
  const fire = () => {
    for (const task of [...tasks]) {
      tasks.delete(task);
      task();
    }
  };
  return { schedule, fire, tasks };
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('delete from egress_health'));

describe('health checks of a worker', () => {
  const start = (answers: (EgressReport | Error)[]) => {
    const lines: { msg: string; check?: string }[] = [];
    const logger = createLogger({
      level: 'debug',
      process: 'test',
      destination: { write: (line) => lines.push(JSON.parse(line)) },
    });
    const metrics = createMetrics();
    showHealth(metrics, database.db, ['default']);
    const timers = manualSchedule();
    let count = 0;
    const checks = startHealthChecks({
      db: database.db,
      logger,
      egress: 'default',
      schedule: timers.schedule,
      check: async () => {
        const answer = answers[count++] ?? report(false);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    const settled = () => expect.poll(() => timers.tasks.size).toBe(1);
    return { checks, lines, metrics, ...timers, settled, count: () => count };
  };

  it('begin at once, are stored and shown as metrics, and log problems', async () => {
    const { checks, lines, metrics, settled } = start([report(true)]);
    await settled();
    expect(await findHealth(database.db, 'default')).toMatchObject({ is_port_closed: true });
    expect(lines).toEqual([expect.objectContaining({ check: 'port_25' })]);
    const text = await metrics.registry.metrics();
    expect(text).toContain('assay_egress_ok{egress="default",check="port_25"} 0');
    expect(text).not.toContain('check="spf"');
    expect(text).toMatch(/assay_egress_checked_at_seconds\{egress="default"\} \d/);
    await checks.stop();
  });

  it('are repeated only when one is due, and by one worker', async () => {
    const { checks, settled, fire, count } = start([]);
    await settled();
    fire();
    await settled();
    expect(count()).toBe(1);
    await database.pool.query(
      `update egress_health set next_check_at = now(), checked_at = now() - interval '2 minutes'`,
    );
    fire();
    await settled();
    expect(count()).toBe(2);
    fire();
    await settled();
    expect(count()).toBe(2);
    await checks.stop();
  });

  it('come early when an engine asks for one', async () => {
    const { checks, settled, fire, count } = start([]);
    await settled();
    await askForCheck(database.db, 'default');
    fire();
    await settled();
    expect(count()).toBe(1);
    await database.pool.query(`update egress_health set checked_at = now() - interval '2 minutes'`);
    await askForCheck(database.db, 'default');
    fire();
    await settled();
    expect(count()).toBe(2);
    await checks.stop();
  });

  it('are given up when the worker stops, and not stored', async () => {
    const logger = createLogger({ level: 'silent', process: 'test' });
    const { schedule } = manualSchedule();
    const checks = startHealthChecks({
      db: database.db,
      logger,
      egress: 'default',
      schedule,
      check: (signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(report(true)))),
    });
    await checks.stop();
    expect(await findHealth(database.db, 'default')).toBeUndefined();
  });

  it('go on after one that failed, and leave no timer when stopped', async () => {
    const { checks, settled, tasks, fire, count } = start([new Error('no network')]);
    await settled();
    fire();
    await settled();
    expect(count()).toBe(2);
    expect(await findHealth(database.db, 'default')).toMatchObject({ is_port_closed: false });
    await checks.stop();
    expect(tasks.size).toBe(0);
  });
});

describe('the gate of a closed port', () => {
  const setPort = (isClosed: boolean) =>
    saveHealth(database.db, { egress: 'default', report: report(isClosed), nextCheckMs: 1_000 });

  it('is open without a check', async () => {
    await createPortGate({ db: database.db, egress: 'default', ...manualSchedule() }).untilOpen(undefined);
  });

  it('holds work back until a check finds the port open, also when the wall clock was set back', async () => {
    await setPort(true);
    const timers = manualSchedule();
    const clock = movableClock();
    const gate = createPortGate({ db: database.db, egress: 'default', clock, schedule: timers.schedule });
    let isOpen = false;
    const opened = gate.untilOpen(undefined).then(() => {
      isOpen = true;
    });
    await expect.poll(() => timers.tasks.size).toBe(1);
    await setPort(false);
    expect(isOpen).toBe(false);
    clock.jump({ hours: -2 });
    clock.advance({ seconds: 10 });
    timers.fire();
    await opened;
  });

  it('lets aborted work go', async () => {
    await setPort(true);
    const timers = manualSchedule();
    const clock = movableClock();
    const gate = createPortGate({ db: database.db, egress: 'default', clock, schedule: timers.schedule });
    const abort = new AbortController();
    const waiting = gate.untilOpen(abort.signal);
    await expect.poll(() => timers.tasks.size).toBe(1);
    abort.abort();
    await waiting;
    expect(timers.tasks.size).toBe(0);
  });
});
