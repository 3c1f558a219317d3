import { showNotice } from './show-notice.ts';
import type { Tone } from './snackbar-look.tsx';

interface SnackbarOptions {
  /** Messages of one thread replace each other: the end of some work takes the place of its beginning. */
  readonly thread?: string;
  readonly id?: string;
}

const show = (tone: Tone, message: string, { id, thread }: SnackbarOptions = {}): void =>
  showNotice(async () => (await import('./snackbar-look.tsx')).snackbarOf(tone, message, id), thread);

/** A line at the foot of the screen that goes away by itself. */
export const snackbar = {
  /** Something has begun; another message reports its result. */
  info: (message: string, thread?: string): void => show('info', message, { thread }),
  success: (message: string, thread?: string): void => show('success', message, { thread }),
  warning: (message: string, thread?: string): void => show('warning', message, { thread }),
  /** While one is shown, another of the same cause is not; the cause is the message unless it is named. */
  error: (message: string, cause: string = message): void => show('error', message, { id: `error ${cause}` }),
  /** A failure that ends the work of a thread. */
  failure: (message: string, thread: string): void => show('error', message, { thread }),
};
