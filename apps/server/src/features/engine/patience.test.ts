import { ownLimitNote, type TryAgain } from '@assay/verifier';
import { describe, expect, it } from 'vitest';
import { deferralCountOf, hasPatience, laterJobs, waitsOf } from './patience.ts';

const minute = 60_000;
const since = new Date('2026-03-01T12:00:00Z');

describe('hasPatience', () => {
  it.each([
    ['single', 10 * minute],
    ['list', 240 * minute],
  ] as const)('of a %s lasts %i ms from the first time, to the moment', (kind, patienceMs) => {
    const afterMs = 5 * minute;
    const asked = (elapsedMs: number) =>
      hasPatience(kind, { now: new Date(since.getTime() + elapsedMs), since, afterMs });

    expect(asked(0)).toBe(true);
    expect(asked(patienceMs - afterMs)).toBe(true);
    expect(asked(patienceMs - afterMs + 1)).toBe(false);
  });

  it.each([
    ['single', 10 * minute],
    ['list', 240 * minute],
  ] as const)('of a %s has no use for a host that names a later time at once', (kind, patienceMs) => {
    expect(hasPatience(kind, { now: since, since, afterMs: patienceMs })).toBe(true);
    expect(hasPatience(kind, { now: since, since, afterMs: patienceMs + 1 })).toBe(false);
  });
});

describe('deferralCountOf', () => {
  it.each([
    ['a first job', {}, 0],
    ['a deferred job', { since: since.toISOString(), attempts: 4 }, 4],
    ['a deferred job of an older version, which has no count', { since: since.toISOString() }, 1],
  ])('of %s', (_, payload, count) => {
    expect(deferralCountOf(payload)).toBe(count);
  });
});

describe('waitsOf', () => {
  it('names the mail host, or the provider where our own limit for it is spent', () => {
    const finding = (note: string) =>
      ({
        item: { rowNumber: 7 },
        email: 'jane@a.test',
        afterMs: 60_000,
        deferralCount: 0,
        mxProvider: 'Yahoo',
        evidence: [{ stage: 'connect', host: 'mx1.yahoo.test', note }],
      }) as unknown as TryAgain<{ rowNumber: number }>;
    const at = { now: since, since };
    const until = new Date(since.getTime() + minute);
    const row = { rowNumber: 7, since, attempts: 0 };

    expect(waitsOf([finding('greylisted')], at)).toEqual([{ host: 'mx1.yahoo.test', until, row }]);
    expect(waitsOf([finding(ownLimitNote)], at)).toEqual([
      { host: 'Yahoo', cause: 'our_limits', until, row },
    ]);
  });
});

describe('laterJobs', () => {
  it('makes one job for each delay and each number of attempts', () => {
    const deferred = (item: string, afterMs: number, deferralCount: number) =>
      ({ item, afterMs, deferralCount }) as TryAgain<string>;
    const putOff = [
      deferred('a', 4_200, 1),
      deferred('b', 5_000, 2),
      deferred('c', 5_000, 1),
      deferred('d', 9_000, 1),
    ];

    expect(laterJobs(putOff, (items, attempts) => `${items.join()} ${attempts}`)).toEqual([
      { payload: 'a,c 1', afterMs: 5_000 },
      { payload: 'b 2', afterMs: 5_000 },
      { payload: 'd 1', afterMs: 9_000 },
    ]);
  });
});
