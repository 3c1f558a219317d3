import type { Verdict } from '@assay/contract';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { isolated } from '../../../shared/format/isolated.ts';

/** One message is on the screen however many checks there are: a result takes the place of the start. */
const thread = 'single check';

export const tellStarted = (email: string): void =>
  snackbar.success(`Email verification started for email ${isolated(email)}.`, thread);

export const tellOutcome: Readonly<Record<Verdict, () => void>> = {
  VALID: () => snackbar.success('Verification successful! Valid email', thread),
  INVALID: () => snackbar.warning('Verification successful! Invalid email', thread),
  CATCH_ALL: () => snackbar.warning('Verification successful! Catch all email', thread),
  UNKNOWN: () => snackbar.warning('Verification successful! Unknown email', thread),
};
