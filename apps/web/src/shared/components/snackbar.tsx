import { showNotice } from './show-notice.ts';
import type { Tone } from './snackbar-look.tsx';

const show = (tone: Tone, message: string, id?: string): void =>
  showNotice(async () => (await import('./snackbar-look.tsx')).snackbarOf(tone, message, id));

/** A line at the foot of the screen that goes away by itself. */
export const snackbar = {
  /** Something has begun; another message reports its result. */
  info: (message: string): void => show('info', message),
  success: (message: string): void => show('success', message),
  warning: (message: string): void => show('warning', message),
  /** While one is shown, another of the same cause is not; the cause is the message unless it is named. */
  error: (message: string, cause: string = message): void => show('error', message, `error ${cause}`),
};
