import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findExpired, readKeepRule } from './keep-rule.ts';

const at = (text: string) => ({ takenAt: new Date(`${text}Z`) });
const expired = (rule: string, ...moments: string[]) =>
  findExpired(moments.map(at), readKeepRule(rule) ?? {}).map(({ takenAt }) =>
    takenAt.toISOString().slice(0, 16),
  );

it.each([
  ['7d,4w,6m', { d: 7, w: 4, m: 6 }],
  ['1y', { y: 1 }],
  ['7d, 4w', { d: 7, w: 4 }],
  ['', null],
  ['7', null],
  ['0d', null],
  ['7d,3d', null],
  ['7h', null],
  ['9999d', null],
])('reads %j', (text, rule) => expect(readKeepRule(text)).toEqual(rule));

it('keeps the newest of each day', () => {
  const moments = ['2026-11-16T03:00', '2026-11-17T03:00', '2026-11-17T21:00', '2026-11-18T03:00'];
  expect(expired('2d', ...moments)).toEqual(['2026-11-17T03:00', '2026-11-16T03:00']);
});

it('keeps weeks from Monday to Sunday, and months, beyond the days', () => {
  const moments = [
    '2026-09-30T03:00',
    '2026-10-31T03:00',
    '2026-11-08T03:00',
    '2026-11-09T03:00',
    '2026-11-15T03:00',
    '2026-11-16T03:00',
  ];
  expect(expired('1d,2w', ...moments)).toEqual([
    '2026-11-09T03:00',
    '2026-11-08T03:00',
    '2026-10-31T03:00',
    '2026-09-30T03:00',
  ]);
  expect(expired('1d,2w,3m', ...moments)).toEqual(['2026-11-09T03:00', '2026-11-08T03:00']);
});

it('counts periods with a backup, so a long pause removes nothing', () => {
  expect(expired('2d', '2024-01-01T03:00', '2026-11-18T03:00')).toEqual([]);
});

it('never lets the newest go, and a second look removes nothing more', () => {
  const moments = fc.array(
    fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  const rule = fc.record({ d: fc.nat(10), w: fc.nat(6), m: fc.nat(6) });
  fc.assert(
    fc.property(moments, rule, (dates, kept) => {
      const backups = dates.map((takenAt) => ({ takenAt }));
      const gone = new Set(findExpired(backups, kept));
      const left = backups.filter((backup) => !gone.has(backup));
      const newest = Math.max(...dates.map((date) => date.getTime()));
      expect(left.some(({ takenAt }) => takenAt.getTime() === newest)).toBe(true);
      expect(findExpired(left, kept)).toEqual([]);
    }),
  );
});
