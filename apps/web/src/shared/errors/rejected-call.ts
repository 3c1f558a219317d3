import { ApiError, isAbort, UnknownError } from '@assay/client';

const UNEXPECTED_ERROR_TEXT = 'An unexpected error occurred';

export type Reaction =
  | { readonly kind: 'ignore' }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'internal-error' }
  /** Rejections of one cause show one snackbar: they tend to come together. */
  | { readonly kind: 'snackbar'; readonly message: string; readonly cause: string };

/** The page that made the call asks the person to sign in again: that is its answer. */
export const isSignInAgain = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'sign_in_again';

/** What the app does about a rejected call, wherever it came from. */
export function reactionTo(error: unknown): Reaction {
  if (isAbort(error)) return { kind: 'ignore' };

  const status = error instanceof ApiError ? error.http_status : undefined;
  if (status === 401 || isSignInAgain(error)) return { kind: 'ignore' };
  if (status === 404) return { kind: 'not-found' };
  const isStatusMissing = status === undefined && !(error instanceof UnknownError);
  if (isStatusMissing || (status !== undefined && status >= 500)) return { kind: 'internal-error' };

  const message = messageOf(error) || UNEXPECTED_ERROR_TEXT;
  // What a limit says differs by the seconds that are left.
  return { kind: 'snackbar', message, cause: status === 429 ? 'limit' : message };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
