import type { EgressReport } from '@assay/verifier';
import { Gauge } from 'prom-client';
import { type Schedule, systemSchedule } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { claimCheck, findHealth, saveHealth } from './health.store.ts';

interface HealthParts {
  readonly db: Db;
  readonly logger: Logger;
  readonly egress: string;
  readonly schedule?: Schedule;
  check(signal: AbortSignal): Promise<EgressReport>;
}

export interface HealthChecks {
  /** Gives up the check under way. */
  stop(): Promise<void>;
}

const healthyMs = 3_600_000;
/** Work waits for a closed port, so it is tried often. */
const closedMs = 60_000;
const lookAgainMs = 30_000;

/** Checks the egress address at once, then every hour and whenever an engine asks for it. */
export function startHealthChecks(parts: HealthParts): HealthChecks {
  const { db, logger, egress, schedule = systemSchedule } = parts;
  const stopping = new AbortController();
  let callOff = () => {};
  /** The first check may fail before there is a row that says when the next one is due. */
  let hasFailed = false;
  let running = runCheck();

  async function runCheck(): Promise<void> {
    try {
      const report = await parts.check(stopping.signal);
      if (stopping.signal.aborted) return;
      await saveHealth(db, { egress, report, nextCheckMs: report.isPortClosed ? closedMs : healthyMs });
      hasFailed = false;
      for (const { check, status } of report.findings) {
        if (status === 'problem') {
          logger.warn({ egress, check }, 'the egress address has a problem; run: assay egress check');
        }
      }
    } catch (error) {
      hasFailed = true;
      logger.warn({ err: error, egress }, 'the egress address could not be checked');
    }
    planNext();
  }

  function planNext(): void {
    if (stopping.signal.aborted) return;
    callOff = schedule(() => {
      running = checkIfDue();
    }, lookAgainMs);
  }

  async function checkIfDue(): Promise<void> {
    const isDue = hasFailed || (await claimCheck(db, egress).catch(() => false));
    if (isDue && !stopping.signal.aborted) await runCheck();
    else planNext();
  }

  return {
    async stop() {
      stopping.abort();
      callOff();
      await running;
    },
  };
}

/** Shows the last checks of the egresses as metrics. */
export function showHealth(metrics: Metrics, db: Db, egresses: readonly string[]): void {
  new Gauge({
    name: 'assay_egress_ok',
    help: 'Whether a check of the egress address is fine (1) or found a problem (0). Alert on 0.',
    labelNames: ['egress', 'check'],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      for (const egress of egresses) {
        const health = await findHealth(db, egress).catch(() => undefined);
        for (const { check, status } of health?.findings ?? []) {
          if (status === 'ok' || status === 'problem') this.set({ egress, check }, status === 'ok' ? 1 : 0);
        }
      }
    },
  });
  new Gauge({
    name: 'assay_egress_checked_at_seconds',
    help: 'When the egress address was last checked.',
    labelNames: ['egress'],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      for (const egress of egresses) {
        const health = await findHealth(db, egress).catch(() => undefined);
        if (health) this.set({ egress }, health.checked_at.getTime() / 1_000);
      }
    },
  });
}
