import { describe, expect, it } from 'vitest';
import {
  findLikelyDomain,
  hasPlusTag,
  isDisposableDomain,
  isFreeProviderDomain,
  isRoleName,
} from './address-flags.ts';
import { entriesOf, isListedDisposable, listsGeneratedOn } from './domain-lists.ts';

describe('disposable domains', () => {
  it.each(['mailinator.com', 'guerrillamail.com', '10minutemail.com', 'yopmail.com', 'inbox.mailinator.com'])(
    'knows %s',
    (domain) => expect(isDisposableDomain(domain)).toBe(true),
  );

  it.each(['gmail.com', 'example.com', 'exists.test', 'com', 'a', 'zzzzzzzz.zz', '0'])(
    'clears %s',
    (domain) => expect(isDisposableDomain(domain)).toBe(false),
  );

  it.each(['duck.com', 'mozmail.com', 'privaterelay.appleid.com', 'simplelogin.com'])(
    'never names the privacy relay %s',
    (domain) => expect(isDisposableDomain(domain)).toBe(false),
  );

  it('finds the first and the last of the list by halving', () => {
    expect(isListedDisposable('0-00.usa.cc')).toBe(true);
    expect(isListedDisposable('00.pe')).toBe(true);
  });

  it('never overlaps the free providers', () => {
    expect([...entriesOf('free')].filter(isListedDisposable)).toEqual([]);
  });

  it('carries its date', () => {
    expect(listsGeneratedOn()).toMatch(/^20\d\d-\d\d-\d\d$/);
  });
});

describe('flags of a name', () => {
  it.each(['info', 'SALES', 'no-reply', 'postmaster', 'support+de'])('%s is a role', (name) =>
    expect(isRoleName(name)).toBe(true),
  );
  it.each(['jane', 'informatics', 'j.sales', ''])('%j is no role', (name) =>
    expect(isRoleName(name)).toBe(false),
  );
  it('a plus tag needs something before it', () => {
    expect(hasPlusTag('jane+news')).toBe(true);
    expect(hasPlusTag('+jane')).toBe(false);
    expect(hasPlusTag('"jane+news"')).toBe(false);
  });
  it('gmail.com is a free provider and example.com is not', () => {
    expect(isFreeProviderDomain('gmail.com')).toBe(true);
    expect(isFreeProviderDomain('example.com')).toBe(false);
  });
});

describe('slips of the hand', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['yahooo.com', 'yahoo.com'],
    ['iclould.com', 'icloud.com'],
  ])('%s was meant as %s', (typed, meant) => {
    expect(findLikelyDomain(typed)).toBe(meant);
  });

  it.each(['gmail.com', 'example.com', 'company.example', 'aom.com', 'x.test', ''])(
    '%j is left alone',
    (domain) => expect(findLikelyDomain(domain)).toBeUndefined(),
  );
});
