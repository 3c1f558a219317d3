import type { EnqueueOptions } from './queue.ts';

/**
 * Priorities for the chunks of one long list, to be enqueued together. The first chunks of all of a
 * customer's lists run before the later chunks of any, so a long list does not delay a new one. `first` is the place of the first piece in its list.
 */
export const inTurn = <Payload>(
  pieces: readonly Payload[],
  first = 0,
): ({ readonly payload: Payload } & EnqueueOptions)[] =>
  pieces.map((payload, at) => ({ payload, priority: -(first + at) }));
