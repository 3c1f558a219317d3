import type { ErrorCode } from '../errors/index.ts';

/** Messages to a reading thread. */
export type ToThread =
  | {
      readonly kind: 'start';
      readonly module: string;
      readonly name: string;
      readonly options: unknown;
      /** Whether the caller answers questions. */
      readonly hasAnswers: boolean;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'input failed' }
  /** The caller takes one more piece of output. */
  | { readonly kind: 'take' }
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'answer failed' };

/** Messages from it. */
export type FromThread =
  /** Asks for one more piece of the file. */
  | { readonly kind: 'more' }
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  /** One question at a time. */
  | { readonly kind: 'ask'; readonly question: unknown }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The parts of an `AppError`. */
interface Refusal {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly meta: Readonly<Record<string, unknown>>;
}
