import { describe, expect, it } from 'vitest';
import { classifyReply, parseWrittenReply } from './classify-reply.ts';
import { comparableWords, hasSameWords } from './same-words.ts';

function wordsOf(reply: string): string {
  const parsed = parseWrittenReply(reply);
  return parsed === undefined ? '' : (classifyReply(parsed.code, parsed.text).words ?? '');
}

const compare = (jane: string, postmaster: string): boolean =>
  hasSameWords(wordsOf(jane), 'jane', wordsOf(postmaster), 'postmaster');

describe('the same words for two names', () => {
  it.each([
    ['550 5.1.1 User unknown', '550 5.1.1 User unknown'],
    ['550 5.1.1 <jane@a.test>: User unknown', '550 5.1.1 <postmaster@a.test>: User unknown'],
    ["550 User 'jane' unknown", "550 User 'postmaster' unknown"],
    ['550 jane... User unknown', '550 postmaster... User unknown'],
    ['550 No such user (id 4f2a-9c)', '550 No such user (id 77b0-1e)'],
    [
      '550 5.4.1 Access denied [AM7.test 2026-11-15T08:00Z]',
      '550 5.4.1 Access denied [DB5.test 2026-11-15T09:00Z]',
    ],
    [
      '550 Sorry, no mailbox here by that name, ref abcdef',
      '550 Sorry, no mailbox here by that name, ref ghijkl',
    ],
    ['550', '550'],
  ])('%s / %s', (jane, postmaster) => {
    expect(compare(jane, postmaster)).toBe(true);
  });
});

describe('a host that refuses everyone', () => {
  it.each([
    ['user', '550 User unknown'],
    ['mailbox', '550 5.1.1 mailbox unknown'],
    ['no.such.user', '550 5.1.1 No such user'],
    ['jane', '550 5.1.0 contact postmaster'],
  ])('uses the same words for %s: %s', (name, reply) => {
    expect(hasSameWords(wordsOf(reply), name, wordsOf(reply), 'postmaster')).toBe(true);
  });

  it('uses the same words beside names of several parts', () => {
    const isSame = hasSameWords(
      ...(['550 5.1.1 rule jane m doe smith unknown', 'Jane.M.Doe.Smith'] as const),
      ...(['550 5.1.1 rule postmaster unknown', 'postmaster'] as const),
    );
    expect(isSame).toBe(true);
  });

  it('uses the same words beside ids of letters', () => {
    expect(compare('550 No such user qwkjhgfd zxvbnmas', '550 No such user plmoknij uhbygvtf')).toBe(true);
  });
});

describe('other words', () => {
  it.each([
    ['550 5.1.1 User unknown', '550 5.1.1 Mailbox disabled'],
    ['550 5.1.1 User unknown', '554 5.1.1 User unknown'],
    ['550 5.1.1 User unknown', '550 5.7.1 User unknown'],
    ['550 User unknown', '550 User unknown, contact the help desk of this company by phone'],
    ['550 User unknown', '550'],
  ])('%s / %s', (jane, postmaster) => {
    expect(compare(jane, postmaster)).toBe(false);
  });
});

describe('comparableWords', () => {
  it('leaves out addresses, ids, times and punctuation', () => {
    expect(comparableWords('550', '', 'any', '(No user) 4f2a jane@a.test; id: 77b0, at 12:30')).toBe(
      '550  any No user id at',
    );
  });

  it('cuts a long word and drops the dots and dashes behind it', () => {
    const dashes = '-'.repeat(1_990);
    expect(comparableWords('550', '', 'any', `No. such... user${dashes} ${dashes}x`)).toBe(
      '550  any No such user ',
    );
    expect(comparableWords('550', '', 'any', 'a'.repeat(5_000))).toBe(`550  any ${'a'.repeat(40)}`);
  });
});

describe('how many words may differ', () => {
  const compareWords = (one: string, other: string, otherRule = 'rule') =>
    hasSameWords(`550 5.1.1 rule ${one}`, 'jane', `550 5.1.1 ${otherRule} ${other}`, 'postmaster');

  it.each([
    ['half of them, with the codes, under one rule', 'a b c d', 'a x y z', true],
    ['not more than half', 'a b c d e', 'a x y z w', false],
    ['not more than half, however often one is repeated', 'a b c d e f', 'a a a a a a', false],
    ['not more than half, where one reply is longer', 'a b c d e f g h', 'a b', false],
  ])('%s', (_, one, other, isSame) => {
    expect(compareWords(one, other)).toBe(isSame);
    expect(compareWords(other, one)).toBe(isSame);
  });

  it.each([
    ['a fifth of them under two rules', 'a b c d e f x y', true],
    ['not more than a fifth', 'a b c d e x y z', false],
  ])('%s', (_, other, isSame) => {
    expect(compareWords('a b c d e f g h', other, 'another-rule')).toBe(isSame);
  });

  it('counts the first sixty words only', () => {
    const words = Array.from({ length: 70 }, (_, index) => 'a'.repeat((index % 30) + 1)).join(' ');
    expect(comparableWords('550', '5.1.1', 'any', words).split(' ')).toHaveLength(63);
  });
});
