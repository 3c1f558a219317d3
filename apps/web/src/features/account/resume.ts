import { useEffect, useState } from 'react';

/** What a person was at on the account page when they had to sign in again. */
export type Resumable = 'api-key' | 'webhook-secret' | 'delete-account';

const STORAGE_KEY = 'account_resume';

/** Kept by this tab until it comes back. An address could say it too, but then any link could. */
export const resumeAfterSignIn = (what: Resumable): void => sessionStorage.setItem(STORAGE_KEY, what);

/** True once, on the page to which the person came back for this. */
export function useResumed(what: Resumable): boolean {
  const [isResumed] = useState(() => sessionStorage.getItem(STORAGE_KEY) === what);
  useEffect(() => {
    if (isResumed) sessionStorage.removeItem(STORAGE_KEY);
  }, [isResumed]);
  return isResumed;
}
