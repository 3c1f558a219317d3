import { describe, expect, it } from 'vitest';
import { isSessionEnded } from './session-rules.ts';

const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1_000);
const rules = { sessionsValidFrom: at(100), keptSession: 'own', signedOutAt: null };
const own = { sessionId: 'own', signedInAt: at(10) };
const other = { sessionId: 'other', signedInAt: at(10) };

describe('isSessionEnded', () => {
  it.each([
    ['a token issued before the end', { ...other, issuedAt: at(99) }],
    ['a token issued in the same second as the end', { ...other, issuedAt: at(100) }],
    ['the kept session’s token from before the end', { ...own, issuedAt: at(99) }],
    ['the kept session’s token from the same second', { ...own, issuedAt: at(100) }],
    ['a newer token of a session from before the end', { ...other, issuedAt: at(500) }],
    [
      'a newer token of a session that began in that second',
      { ...other, signedInAt: at(100), issuedAt: at(101) },
    ],
    [
      'a newer token of an old sign-in without a session id',
      { sessionId: null, signedInAt: at(10), issuedAt: at(500) },
    ],
  ])('true for %s', (_what, token) => {
    expect(isSessionEnded(token, rules)).toBe(true);
  });

  it.each([
    ['a newer token of the kept session', { ...own, issuedAt: at(101) }],
    ['the token of a sign-in after the end', { ...other, signedInAt: at(101), issuedAt: at(101) }],
    [
      'a newer token of a provider that does not say when the person signed in',
      { sessionId: null, signedInAt: null, issuedAt: at(101) },
    ],
  ])('false for %s', (_what, token) => {
    expect(isSessionEnded(token, rules)).toBe(false);
  });

  it('false for any token if no session was ended', () => {
    const untouched = { sessionsValidFrom: null, keptSession: null, signedOutAt: null };

    expect(isSessionEnded({ ...own, issuedAt: at(1) }, untouched)).toBe(false);
  });

  it.each([
    [true, 'a token from before the sign-out', { ...own, issuedAt: at(20) }],
    [true, 'a renewed token', { ...own, issuedAt: at(500) }],
    [
      true,
      'a newer token that does not say when the person signed in',
      { ...own, signedInAt: null, issuedAt: at(500) },
    ],
    [false, 'a sign-in after it', { ...own, signedInAt: at(101), issuedAt: at(101) }],
  ])('%s in a session that was signed out of, for %s', (isEnded, _what, token) => {
    const signedOut = { sessionsValidFrom: null, keptSession: null, signedOutAt: at(100) };

    expect(isSessionEnded(token, signedOut)).toBe(isEnded);
  });

  it('true for a token without a session id if no session was kept', () => {
    const token = { sessionId: null, signedInAt: at(10), issuedAt: at(500) };

    expect(isSessionEnded(token, { ...rules, keptSession: null })).toBe(true);
  });
});
