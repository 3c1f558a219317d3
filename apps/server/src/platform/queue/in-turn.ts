import type { EnqueueOptions } from './queue.ts';

/**
 * The pieces of one long piece of work, to be enqueued together. The first pieces of everybody's go before the later
 * pieces of anybody's: a long list does not hold a new one up.
 */
export const inTurn = <Payload>(
  pieces: readonly Payload[],
): ({ readonly payload: Payload } & EnqueueOptions)[] =>
  pieces.map((payload, at) => ({ payload, priority: -at }));
