import { describe, expect, it } from 'vitest';
import { formatTime } from '../../../shared/format/dates.ts';
import { chartPoints, limitWords } from './weather-words.ts';

const limit = { allowed: 300, recipients: 1_000, spent: 12, why: 'usual' as const, end_date: null };
const date = '2026-03-01T10:00:00.000Z';

describe('the words of a limit', () => {
  it('say what is spent, and why the limit is lower', () => {
    expect(limitWords(null)).toBeNull();
    expect(limitWords(limit)).toBe('12 of 300 unknown, per 1,000 recipients');
    expect(limitWords({ ...limit, why: 'after_block' })).toContain('after a block');
    expect(limitWords({ ...limit, why: 'new_egress' })).toContain('the egress is new');
    expect(limitWords({ ...limit, why: 'resting', end_date: date })).toBe(
      `It blocked us, so nobody asks until ${formatTime(date)}`,
    );
  });
});

describe('the points of a chart', () => {
  const none = { answered: 0, deferred: 0, blocked: 0, timed_out: 0, held_back: 0 };
  const points = [
    { ...none, date, egress: 'a', provider: 'Yahoo', answered: 5, deferred: 2 },
    { ...none, date, egress: 'b', provider: 'Yahoo', answered: 7, blocked: 1 },
    { ...none, date, egress: 'a', provider: 'Google', answered: 100 },
  ];
  const now = Date.parse('2026-03-01T12:34:00Z');

  it('add up the egress addresses, with zeros in between', () => {
    const shown = chartPoints(points, { provider: 'Yahoo', kinds: ['answered'], days: 1, now });
    expect(shown).toHaveLength(24);
    expect(shown.slice(-4).map(({ count }) => count)).toEqual([0, 12, 0, 0]);
    expect(shown.at(-1)?.date).toBe('2026-03-01T12:00:00.000Z');
  });

  it('add up kinds, by day for longer times', () => {
    const byDay = points.map((point) => ({ ...point, date: '2026-03-01T00:00:00.000Z' }));
    const kinds = ['deferred', 'blocked'] as const;
    const shown = chartPoints(byDay, { provider: 'Yahoo', kinds, days: 7, now });
    expect(shown.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 3]);
  });
});
