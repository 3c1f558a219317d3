import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { tabStorage } from '../../shared/cache/browser-storage.ts';

/** What a person was doing on the account page when they had to sign in again. Keys and webhooks are named by their ids. */
export type Resumable =
  | 'api-key'
  | 'create-key'
  | `roll-key ${string}`
  | `webhook-secret ${string}`
  | 'download-data'
  | 'delete-account';

const STORAGE_KEY = 'account_resume';

/** Kept by this tab until it comes back. An address could say it too, but then any link could. */
export const resumeAfterSignIn = (what: Resumable): void => tabStorage.setItem(STORAGE_KEY, what);

/** True once, on the page to which the person came back for this. */
export const useResumed = (what: Resumable): boolean => useResumedWith(what) === '';

/** What follows this beginning, if the person came back for it; else null. */
export function peekResumed(beginning: string): string | null {
  const resumed = tabStorage.getItem(STORAGE_KEY);
  return resumed?.startsWith(beginning) ? resumed.slice(beginning.length) : null;
}

/** What follows this beginning, once, on the page to which the person came back; else null. */
export function useResumedWith(beginning: string): string | null {
  const [rest] = useState(() => peekResumed(beginning));
  useEffect(() => {
    if (rest !== null) tabStorage.removeItem(STORAGE_KEY);
  }, [rest]);
  return rest;
}

/** Does it once, on the page to which the person came back for it. */
export function useOnReturn(what: Resumable, action: () => void): void {
  const isResumed = useResumed(what);
  const isDone = useRef(false);
  const act = useEffectEvent(action);
  useEffect(() => {
    if (isResumed && !isDone.current) act();
    isDone.current = true;
  }, [isResumed]);
}
