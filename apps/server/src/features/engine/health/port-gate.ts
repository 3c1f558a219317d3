import { type Schedule, type SteadyClock, systemClock, systemSchedule } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { findHealth } from './health.store.ts';

/** Lets work wait while the port of its egress address is closed. */
export interface PortGate {
  /** Resolves when the port is open, or not known to be closed, and when the signal aborts. */
  untilOpen(signal: AbortSignal | undefined): Promise<void>;
}

interface GateParts {
  readonly db: Db;
  readonly egress: string;
  readonly clock?: SteadyClock;
  readonly schedule?: Schedule;
}

const lookAgainMs = 10_000;

export function createPortGate(parts: GateParts): PortGate {
  const { db, egress, clock = systemClock, schedule = systemSchedule } = parts;
  let looking = Promise.resolve(false);
  let lookAgainAt = 0;
  /** All that ask within ten seconds share one query. */
  const isClosed = (): Promise<boolean> => {
    const now = clock.steadyMs();
    if (now >= lookAgainAt) {
      lookAgainAt = now + lookAgainMs;
      // A database that is away fails the work itself; the gate need not.
      looking = findHealth(db, egress).then(
        (health) => health?.is_port_closed ?? false,
        () => false,
      );
    }
    return looking;
  };

  return {
    async untilOpen(signal) {
      while (!signal?.aborted && (await isClosed())) await pause(signal, schedule);
    },
  };
}

/** Ends early when the signal aborts. */
function pause(signal: AbortSignal | undefined, schedule: Schedule): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      callOff();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const callOff = schedule(end, lookAgainMs);
    signal?.addEventListener('abort', end, { once: true });
  });
}
