import type { Schedule } from '../../../platform/clock.ts';
import type { EventHub } from '../../../platform/events/index.ts';

export interface SingleWaits {
  /** How many wait now. */
  readonly count: number;
  /**
   * Resolves when there is reason to look at the check: it is complete, the time is over, the caller went away, or
   * events may have been missed. Begin to wait before looking at the check for the first time, or its end may come between.
   */
  begin(validationId: string, options: { readonly forMs: number; readonly gone: AbortSignal }): SingleWait;
  /** Lets all go, and whoever comes from now on at once, so that a process that stops is not held up. */
  close(): void;
}

interface SingleWait {
  readonly over: Promise<void>;
  /** To be called however the wait ends. */
  end(): void;
}

/** Calls that wait for a verdict. They cost no look at the database: the worker's event, which every process hears, wakes them. */
export function createSingleWaits(events: EventHub, schedule: Schedule): SingleWaits {
  const waiting = new Map<string, Set<() => void>>();
  let isClosed = false;
  const wakeAll = () => {
    for (const wakers of waiting.values()) for (const wake of wakers) wake();
  };
  events.subscribe({
    onEvent: (_userId, { event_type, event_metadata: { validation_id } }) => {
      if (event_type !== 'verification_complete' || validation_id === undefined) return;
      for (const wake of waiting.get(validation_id) ?? []) wake();
    },
    onLost: wakeAll,
  });

  return {
    get count() {
      return [...waiting.values()].reduce((sum, wakers) => sum + wakers.size, 0);
    },
    begin: (validationId, { forMs, gone }) => {
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      const wakers = waiting.get(validationId) ?? new Set();
      waiting.set(validationId, wakers.add(wake));
      const cancelTimer = schedule(wake, forMs);
      gone.addEventListener('abort', wake);
      // A line that is down wakes nobody.
      if (forMs === 0 || isClosed || !events.isListening || gone.aborted) wake();
      return {
        over,
        end: () => {
          cancelTimer();
          gone.removeEventListener('abort', wake);
          wakers.delete(wake);
          if (wakers.size === 0) waiting.delete(validationId);
        },
      };
    },
    close: () => {
      isClosed = true;
      wakeAll();
    },
  };
}
