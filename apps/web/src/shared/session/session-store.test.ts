import { expect, it } from 'vitest';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import type { Session } from './session.ts';
import { createSessionStore } from './session-store.ts';

const session: Session = { user_access_token: 'token', obtained_at: 0, expires_at: 60, subject: 'ada' };

function readAfterStoring(text: string): Session | undefined {
  const storage = createMemoryStorage();
  storage.setItem('assay.session', text);
  return createSessionStore(storage).read();
}

it('gives the session that was kept', () => {
  expect(readAfterStoring(JSON.stringify(session))).toEqual(session);
});

it.each(Object.keys(session))('has no session when %s is missing', (field) => {
  expect(readAfterStoring(JSON.stringify({ ...session, [field]: undefined }))).toBeUndefined();
});

it.each(['', '{', 'null', '7', '[]'])('has no session when %j was kept', (text) => {
  expect(readAfterStoring(text)).toBeUndefined();
});
