import { AppError } from '../errors/index.ts';

/** A refused caller is asked to come back after this long. */
const retryAfterSeconds = 10;

/** Bounds what one customer keeps open at once in this process, such as downloads. */
export interface Places {
  /** Takes one of the customer's places and answers the way to give it back; nothing when all are taken. */
  tryTake(customerId: string): (() => void) | undefined;
  /** The same, with a refusal when all are taken. */
  take(customerId: string): () => void;
}

/** `text` says what the caller has too many of, and what to do. */
export function createPlaces(placesPerCustomer: number, text: string): Places {
  const taken = new Map<string, number>();
  const add = (customerId: string, count: number): void => {
    const now = (taken.get(customerId) ?? 0) + count;
    if (now === 0) taken.delete(customerId);
    else taken.set(customerId, now);
  };

  const tryTake: Places['tryTake'] = (customerId) => {
    if ((taken.get(customerId) ?? 0) >= placesPerCustomer) return undefined;
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
      const leave = tryTake(customerId);
      if (leave) return leave;
      const meta = { max: placesPerCustomer, retry_after_seconds: retryAfterSeconds };
      throw new AppError('too_many_requests', {}, { text, meta });
    },
  };
}
