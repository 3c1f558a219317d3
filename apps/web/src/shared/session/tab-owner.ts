import type { SafeStorage } from '../cache/browser-storage.ts';
import type { SessionStore } from './session-store.ts';

const ownerKey = 'assay.tab_owner';

/**
 * Clears the tab's storage when another person signs in. Sign-out clears it only in the tab where it happens: other tabs keep
 * drafts, searches and the like, and may show the next person's pages later.
 */
export function clearWhenOwnerChanges(
  tabStorage: SafeStorage,
  session: Pick<SessionStore, 'read' | 'subscribe'>,
): void {
  const check = () => {
    const subject = session.read()?.subject;
    const owner = tabStorage.getItem(ownerKey);
    if (subject === undefined || subject === owner) return;
    if (owner !== null) tabStorage.clear();
    tabStorage.setItem(ownerKey, subject);
  };
  check();
  session.subscribe(check);
}
