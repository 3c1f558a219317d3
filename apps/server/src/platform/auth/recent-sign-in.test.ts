import { expect, it } from 'vitest';
import { hasSignedInRecently } from './recent-sign-in.ts';
import type { Subject } from './subject.ts';

const now = new Date('2026-03-01T12:00:00Z');

it.each([
  [true, '10 minutes ago', new Date(now.getTime() - 600_000)],
  [false, 'a second longer ago', new Date(now.getTime() - 601_000)],
  [true, 'by a clock that is a few seconds ahead', new Date(now.getTime() + 5_000)],
  [false, 'in the far future, because the provider counts milliseconds', new Date(now.getTime() * 1_000)],
  [false, 'at a time that the token does not tell', null],
])('%s for a sign-in %s', (isRecent, _when, signedInAt) => {
  const subject = { signedInAt } as Subject;

  expect(hasSignedInRecently({ subject }, { now: () => now })).toBe(isRecent);
});
