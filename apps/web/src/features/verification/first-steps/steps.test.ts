import { describe, expect, it } from 'vitest';
import { firstStepsOf, isNewAccount } from './steps.ts';

const nothing = { singles: 0, lists: 0, hasOpenedEvidence: false, hasKey: false };
const done = (progress: Partial<typeof nothing>) =>
  firstStepsOf({ ...nothing, ...progress })
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id);

describe('the first steps', () => {
  it('are each done by what they name', () => {
    expect(done({})).toEqual([]);
    expect(done({ singles: 1 })).toEqual(['check']);
    expect(done({ lists: 2 })).toEqual(['import']);
    expect(done({ hasOpenedEvidence: true })).toEqual(['evidence']);
    expect(done({ hasKey: true })).toEqual(['key']);
  });

  it('are for accounts of the last 30 days', () => {
    const now = new Date('2026-11-16T12:00:00Z');
    expect(isNewAccount('2026-10-18T12:00:00+00:00', now)).toBe(true);
    expect(isNewAccount('2026-10-17T12:00:00+00:00', now)).toBe(false);
  });
});
