import { ApiError, isAbort, UnknownError } from '@assay/client';

const UNEXPECTED_ERROR_TEXT = 'An unexpected error occurred';

export type Reaction =
  | { readonly kind: 'ignore' }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'internal-error' }
  | { readonly kind: 'snackbar'; readonly message: string };

/** What the app does about a rejected call, wherever it came from. */
export function reactionTo(error: unknown): Reaction {
  if (isAbort(error)) return { kind: 'ignore' };

  const status = error instanceof ApiError ? error.http_status : undefined;
  if (status === 401) return { kind: 'ignore' };
  if (status === 404) return { kind: 'not-found' };
  const isStatusMissing = status === undefined && !(error instanceof UnknownError);
  if (isStatusMissing || (status !== undefined && status >= 500)) return { kind: 'internal-error' };

  return { kind: 'snackbar', message: messageOf(error) || UNEXPECTED_ERROR_TEXT };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
