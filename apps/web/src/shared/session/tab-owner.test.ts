import { expect, it } from 'vitest';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import type { Session } from './session.ts';
import { createSessionStore } from './session-store.ts';
import { clearWhenOwnerChanges } from './tab-owner.ts';

const sessionOf = (subject: string): Session => ({
  user_access_token: 'access-0',
  obtained_at: 0,
  expires_at: 1,
  subject,
});

/** A page load in the same tab: storage stays, the code starts again. */
function loadPage(tabStorage: Storage, localStorage: Storage) {
  const store = createSessionStore(localStorage);
  clearWhenOwnerChanges(tabStorage, store);
  return store;
}

it('what a person left in the tab survives reloads and new tokens', () => {
  const [tabStorage, localStorage] = [createMemoryStorage(), createMemoryStorage()];
  loadPage(tabStorage, localStorage).write(sessionOf('ada'));
  tabStorage.setItem('assay.draft.profile', '{}');
  loadPage(tabStorage, localStorage).write({ ...sessionOf('ada'), user_access_token: 'access-1' });

  expect(tabStorage.getItem('assay.draft.profile')).toBe('{}');
});

it('another person does not find it, after a sign-out in another tab', () => {
  const [tabStorage, localStorage] = [createMemoryStorage(), createMemoryStorage()];
  const store = loadPage(tabStorage, localStorage);
  store.write(sessionOf('ada'));
  tabStorage.setItem('assay.draft.profile', '{}');
  store.clear();
  expect(tabStorage.getItem('assay.draft.profile'), 'she may sign in again').toBe('{}');

  loadPage(tabStorage, localStorage).write(sessionOf('bob'));
  expect(tabStorage.getItem('assay.draft.profile')).toBeNull();
});

it('what was stored before anyone signed in is theirs', () => {
  const tabStorage = createMemoryStorage();
  tabStorage.setItem('assay.provider', 'MICROSOFT');
  loadPage(tabStorage, createMemoryStorage()).write(sessionOf('ada'));

  expect(tabStorage.getItem('assay.provider')).toBe('MICROSOFT');
});
