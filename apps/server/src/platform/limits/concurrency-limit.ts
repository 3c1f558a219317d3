import { AppError } from '../errors/index.ts';

/** The Retry-After of a refusal. */
const retryAfterSeconds = 10;

/** Limits what one customer does at the same time in this process, such as downloads. */
export interface ConcurrencyLimit {
  /** Takes one of the customer's slots and returns a function that frees it; undefined if all are taken. */
  tryTake(customerId: string): (() => void) | undefined;
  /** The same, but throws a refusal if all are taken. */
  take(customerId: string): () => void;
}

/** The refusal of one more than `max`. `text` says what there is too much of, and what to do. */
export const tooManyAtOnce = (max: number, text: string): AppError =>
  new AppError('too_many_requests', {}, { text, meta: { max, retry_after_seconds: retryAfterSeconds } });

/** `text` tells a refused caller what they have too many of, and what to do. */
export function createConcurrencyLimit(slotsPerCustomer: number, text: string): ConcurrencyLimit {
  const taken = new Map<string, number>();
  const add = (customerId: string, count: number): void => {
    const now = (taken.get(customerId) ?? 0) + count;
    if (now === 0) taken.delete(customerId);
    else taken.set(customerId, now);
  };

  const tryTake: ConcurrencyLimit['tryTake'] = (customerId) => {
    if ((taken.get(customerId) ?? 0) >= slotsPerCustomer) return undefined;
    add(customerId, 1);
    let isTaken = true;
    return () => {
      if (isTaken) add(customerId, -1);
      isTaken = false;
    };
  };
  return {
    tryTake,
    take: (customerId) => {
      const free = tryTake(customerId);
      if (free) return free;
      throw tooManyAtOnce(slotsPerCustomer, text);
    },
  };
}
