import { BadRequestError } from '@assay/client';
import { isSignInAgain } from './rejected-call.ts';

const FORM_FAILURE_TEXT = 'Opps, something went wrong. Please try again!';

/** What a form says when its call was rejected; null when it was not. */
export function formErrorText(error: unknown): string | null {
  if (error === null || error === undefined) return null;
  // A dialog leads to the sign-in instead.
  if (isSignInAgain(error)) return null;
  // The catalogue makes one class of 400 and every 4xx without a class of its own.
  if (!(error instanceof BadRequestError) || error.message === '') return FORM_FAILURE_TEXT;
  return `${error.code} ${error.message}`;
}
