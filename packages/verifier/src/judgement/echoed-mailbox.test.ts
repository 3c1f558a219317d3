import { describe, expect, it } from 'vitest';
import { replaceMailbox } from './echoed-mailbox.ts';

describe('a reply that repeats the mailbox', () => {
  it.each([
    ['as it is', '<full@a.test>: unknown', 'full@a.test', '<jane@example.com>: unknown'],
    ['in capitals', '<FULL@A.TEST>: unknown', 'full@a.test', '<jane@example.com>: unknown'],
    [
      'in brackets without its domain',
      '5.1.1 <Full> unknown',
      'full@a.test',
      '5.1.1 <jane@example.com> unknown',
    ],
    ['in quotes without its domain', "user 'full' unknown", 'full@a.test', "user 'jane@example.com' unknown"],
    ['before dots without its domain', 'full... unknown', 'full@a.test', 'jane@example.com... unknown'],
    [
      'without its quotes',
      '<over quota@a.test> unknown',
      '"over quota"@a.test',
      '<jane@example.com> unknown',
    ],
    ['without quotes, in capitals', 'OVER QUOTA@A.TEST?', '"over quota"@a.test', 'jane@example.com?'],
    [
      'without quotes and domain',
      'user over quota unknown',
      '"over quota"@a.test',
      'user jane@example.com unknown',
    ],
    ['over two lines', 'user over\nquota unknown', '"over quota"@a.test', 'user jane@example.com unknown'],
    ['without its backslashes', '<a"b full@a.test>', '"a\\"b full"@a.test', '<jane@example.com>'],
    ['of one word in quotes without quotes', '<FULL@a.test>', '"full"@a.test', '<jane@example.com>'],
    ['twice', '<full@a.test> (FULL)', 'full@a.test', '<jane@example.com> (jane@example.com)'],
    [
      'twice with one quote between',
      'over quota"Over Quota',
      '"over quota"@a.test',
      'jane@example.comjane@example.com',
    ],
    ['of signs for patterns', '<a+b.*@A.test>', 'a+b.*@a.test', '<jane@example.com>'],
  ])('%s: another mailbox takes its place', (_, text, mailbox, expected) => {
    expect(replaceMailbox(text, mailbox)).toBe(expected);
  });

  it.each([
    ['its own words', 'mailbox full', 'full@a.test'],
    ['a longer word in quotes', '<fuller> unknown', 'full@a.test'],
    ['no name at all', 'unknown', '" "@a.test'],
  ])('%s: the text stays as it is', (_, text, mailbox) => {
    expect(replaceMailbox(text, mailbox)).toBe(text);
  });

  it.each([
    ['words', 'a ', `"${'a '.repeat(30)}b"@a.test`],
    ['spaces', ' ', '" b"@a.test'],
  ])('of very many %s is read in linear time', (_, part, mailbox) => {
    const text = part.repeat(300_000);
    expect(replaceMailbox(text, mailbox)).toBe(text);
  });
});
