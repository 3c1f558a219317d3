import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasPlusTag, isDisposableDomain, isFreeProviderDomain, isRoleName } from './address-flags.ts';
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
    const file = readFileSync(new URL('../../data/domain-lists.generated.txt', import.meta.url), 'latin1');
    const disposable = file.slice(file.indexOf('\n\n') + 2, file.indexOf('\n\n', file.indexOf('\n\n') + 2));
    const entries = disposable.split('\n');
    expect(entries.length).toBeGreaterThan(150_000);
    expect(isListedDisposable(entries[0] ?? '')).toBe(true);
    expect(isListedDisposable(entries.at(-1) ?? '')).toBe(true);
  });

  it.each([
    'myself.com',
    'dr.com',
    'keemail.me',
    'usa.com',
    'techie.com',
    'google.com',
    'cock.li',
    'nus.edu.sg',
    ...['21cn.com', 'daum.com', 'dbmail.com', 'free.com', 'globomail.com', 'mail333.com', 'orange.net'],
    ...['pochtamt.ru', 'smile.com', 'spaces.ru'],
  ])('clears the ordinary domain %s that some lists name', (domain) =>
    expect(isDisposableDomain(domain)).toBe(false),
  );

  it.each(['gmial.com', 'hotmial.com', 'yahooo.com'])('clears %s, which is only a typing mistake', (domain) =>
    expect(isDisposableDomain(domain)).toBe(false),
  );

  it.each(['shop.eu.org', 'firma.pp.ua', 'company.za.com', 'company.ru.com', 'me.ddns.net', 'me.dedyn.io'])(
    'clears %s, a neighbour of disposable domains below a public suffix',
    (domain) => expect(isDisposableDomain(domain)).toBe(false),
  );

  it('never overlaps the mail providers and the ordinary domains', () => {
    const ordinary = [...entriesOf('provider'), ...entriesOf('ordinary')];
    expect(ordinary.filter(isDisposableDomain)).toEqual([]);
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
  it('gmail.com and hotmail.se are free providers and example.com is not', () => {
    expect(isFreeProviderDomain('gmail.com')).toBe(true);
    expect(isFreeProviderDomain('hotmail.se')).toBe(true);
    expect(isFreeProviderDomain('example.com')).toBe(false);
  });
});
