import { describe, expect, it } from 'vitest';
import { commonTypos } from '../testing/common-typos.ts';
import { entriesOf } from './domain-lists.ts';
import { findKnownTypo, findLikelyDomain } from './likely-domain.ts';

describe('the domain that was meant', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gmailc.om', 'gmail.com'],
    ['gmail.fr', 'gmail.com'],
    ['gmail', 'gmail.com'],
    ['hotmail.cm', 'hotmail.com'],
    ['yahoo.co', 'yahoo.com'],
    ['hotmial.fr', 'hotmail.fr'],
    ['yahoo.c.uk', 'yahoo.co.uk'],
    ['liev.com', 'live.com'],
  ])('%s was meant as %s', (typed, meant) => {
    expect(findLikelyDomain(typed)?.name).toBe(meant);
  });

  it.each([
    ...['hotmail.se', 'outlook.at', 'yahoo.co.za', 'yahoo.vn', 'yahoo.com.ru', 'live.xy.test', 'hotmail.sn'],
    ...[
      'gmail.com',
      'mail.com',
      'email.com',
      'example.com',
      'aom.com',
      'gmail.example.com',
      'x.test',
      'com',
      '',
    ],
  ])('%j gets no suggestion', (domain) => {
    expect(findLikelyDomain(domain)).toBeUndefined();
  });

  it.each(['hotmail.net', 'hanmail.com', 'ymail.de', 'mail.cz', 'icloud.com.cn'])(
    '%s, a right name with a real ending, gets no suggestion',
    (domain) => expect(findLikelyDomain(domain)).toBeUndefined(),
  );

  it.each(['gail.com', 'gomail.com', 'gmall.com', 'iloud.com', 'outlock.com', 'gmail.es', 'icloud.ie'])(
    '%s is not on the kept list, because it may be real',
    (domain) => expect(findKnownTypo(domain)).toBeUndefined(),
  );

  it('no domain of a provider gets a suggestion', () => {
    expect([...entriesOf('provider')].filter(findLikelyDomain)).toEqual([]);
  });

  it.each(['gmial.com', 'yahoo.co'])('%s is on the kept list of typing mistakes', (domain) => {
    expect(findLikelyDomain(domain)?.isKnownTypo).toBe(true);
  });

  it('a mere resemblance is not on that list', () => {
    expect(findLikelyDomain('btinternat.com')).toEqual({ name: 'btinternet.com', isKnownTypo: false });
  });

  it.each(['written', 'systematic'] as const)(
    'at least 95 percent of the %s mistakes are corrected',
    (kind) => {
      const typos = commonTypos[kind];
      const corrected = typos.filter(({ typed, meant }) => findLikelyDomain(typed)?.name === meant);
      expect(corrected.length / typos.length).toBeGreaterThanOrEqual(0.95);
    },
  );
});
