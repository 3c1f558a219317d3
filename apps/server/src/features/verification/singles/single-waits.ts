import type { Schedule } from '../../../platform/clock.ts';
import type { EventHub } from '../../../platform/events/index.ts';

export interface SingleWaits {
  /** The number of calls that wait now. */
  readonly count: number;
  /**
   * Resolves when there is reason to look at the check: it is complete, the time is over, the caller went away, or
   * events may have been missed. Begin to wait before looking at the check for the first time, or its end may come between.
   */
  begin(validationId: string, options: { readonly forMs: number; readonly gone: AbortSignal }): SingleWait;
  /** Ends all waits, also later ones, so that the process can stop. */
  close(): void;
}

interface SingleWait {
  readonly over: Promise<void>;
  /** Call this at the end of every wait. */
  end(): void;
}

/** Calls that wait for a verdict. An event of the worker, which reaches every process, ends the wait without polling. */
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
      // Without a connection for events, nothing would end the wait.
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
