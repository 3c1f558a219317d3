import { expect, it } from 'vitest';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import { createDrafts } from './drafts.ts';

it('keeps the values of open forms, and gives them back once, after a reload too', () => {
  const storage = createMemoryStorage();
  const drafts = createDrafts(storage);
  drafts.open('email', () => ({ email: 'jane@exists.test' }));
  const close = drafts.open('profile', () => ({ first_name: 'Ada' }));
  close();
  drafts.keepAll();

  const reloaded = createDrafts(storage);
  expect(reloaded.take('email')).toEqual({ email: 'jane@exists.test' });
  expect(reloaded.take('email')).toBeUndefined();
  expect(reloaded.take('profile')).toBeUndefined();
  expect(storage.length).toBe(0);
});

it('a form that replaces itself stays open when the earlier one closes', () => {
  const drafts = createDrafts(createMemoryStorage());
  const closeEarlier = drafts.open('email', () => ({ email: 'old' }));
  drafts.open('email', () => ({ email: 'new' }));
  closeEarlier();
  drafts.keepAll();

  expect(drafts.take('email')).toEqual({ email: 'new' });
});
