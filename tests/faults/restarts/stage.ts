import { ApiError } from '@assay/client';
import type { Customer } from '../../support/customer.ts';
import type { Deadline } from '../../support/until.ts';
import type { Product } from '../product.ts';
import type { Outside } from './outside.ts';

/** What a kind of work gets from the round. */
export interface Stage {
  readonly seed: number;
  readonly product: Product;
  readonly outside: Outside;
  readonly deadline: Deadline;
  /** A new customer with this many credits on top of those of a new account. */
  signUp(credits?: number): Promise<Customer>;
  /** Whether the interruption of this turn is still to come, or under way. */
  readonly isUneasy: boolean;
  /** Repeats a call until the product answers. A refusal is an answer too, and throws. */
  insist<Answer>(call: () => Promise<Answer>): Promise<Answer>;
  /** Adds a word about this kind to the line of the round. */
  note(words: string): void;
}

/** A kind of work that goes on while processes end. */
export interface Kind {
  readonly name: string;
  /** Prepares what must be there before the first process ends. */
  begin(stage: Stage): Promise<Begun>;
}

export interface Begun {
  /** What the customer does while processes end; called for each interruption, from 0 on. */
  work(turn: number): Promise<void>;
  /** Waits until everything has come to its end; returns what is wrong. */
  check(): Promise<string[]>;
}

const repeatAfterMs = 200;

/** No answer, or a process that is stopping. */
const isOutage = (error: unknown): boolean =>
  error instanceof ApiError && (error.http_status === undefined || error.http_status === 503);

/** Repeats a call until the product answers. */
export async function insist<Answer>(deadline: Deadline, call: () => Promise<Answer>): Promise<Answer> {
  const outcome = await deadline.until(
    'the API answers',
    () =>
      call().then(
        (answer) => ({ answer }),
        (error: unknown) => !isOutage(error) && { error },
      ),
    repeatAfterMs,
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}
