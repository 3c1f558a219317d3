import type { EnqueueOptions } from './queue.ts';

/**
 * Priorities for the chunks of one long list, to be enqueued together. The first chunks of all lists run before the later
 * chunks of any, so a long list does not delay a new one.
 */
export const inTurn = <Payload>(
  pieces: readonly Payload[],
): ({ readonly payload: Payload } & EnqueueOptions)[] =>
  pieces.map((payload, at) => ({ payload, priority: -at }));
