import { describe, expect, it } from 'vitest';
import { noWish, readOwnerRecords } from './owner-record.ts';

describe('the records of an owner', () => {
  it.each<[string, string[], number]>([
    ['nothing', [], noWish],
    ['never', ['v=assay1; never'], 0],
    ['a limit', ['v=assay1; limit=100/day'], 100],
    ['letter case and space', [' V=Assay1 ;LIMIT = 7 / Day ; '], 7],
    ['the strictest of several', ['v=assay1; limit=9/day', 'v=assay1; limit=3/day'], 3],
    ['the strictest of one', ['v=assay1; limit=9/day; never'], 0],
    ['a limit beside a record of another version', ['v=assay2; never', 'v=assay1; limit=5/day'], 5],
  ])('say %s', (_, texts, perDay) => {
    expect(readOwnerRecords(texts).perDay).toBe(perDay);
  });

  it.each([
    ['other words', 'v=spf1 -all'],
    ['no version', 'never'],
    ['no wish', 'v=assay1'],
    ['a slip', 'v=assay1; nevr'],
    ['a slip beside a wish', 'v=assay1; limit=5/day; neveer'],
    ['a negative limit', 'v=assay1; limit=-5/day'],
    ['another period', 'v=assay1; limit=5/hour'],
    ['a number with letters', 'v=assay1; limit=5e3/day'],
    ['a number without end', `v=assay1; limit=${'9'.repeat(40)}/day`],
    ['a token that is too short', 'v=assay1; count=12ab'],
    ['a slip beside a token', `v=assay1; count=${'0a'.repeat(16)}; neverr`],
    ['a text without end', `v=assay1; never${' '.repeat(600)}`],
  ])('that hold %s say nothing', (_, text) => {
    expect(readOwnerRecords([text])).toEqual({ perDay: noWish, countTokens: [] });
  });

  it('name the tokens that ask for the counts, beside what else they say', () => {
    const [one, other] = ['0a'.repeat(16), '1b'.repeat(16)];
    expect(
      readOwnerRecords([`v=assay1; count=${one}; limit=9/day`, 'v=spf1 -all', `v=assay1;COUNT = ${other}`]),
    ).toEqual({ perDay: 9, countTokens: [one, other] });
  });

  it('are read at most twenty, as nobody needs more', () => {
    const many = Array.from({ length: 20 }, () => 'v=spf1 -all');
    expect(readOwnerRecords([...many, 'v=assay1; never']).perDay).toBe(noWish);
    expect(readOwnerRecords([...many.slice(1), 'v=assay1; never']).perDay).toBe(0);
  });
});
