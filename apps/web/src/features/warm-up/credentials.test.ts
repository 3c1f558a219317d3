import { describe, expect, it } from 'vitest';
import { readCredentials } from './credentials.ts';

const google = { email: 'a@exists.test', provider: 'GOOGLE', isEnded: false, consentUrl: null };
const unknown = { ...google, provider: 'UNKNOWN' };

describe('§3 Authorized credential', () => {
  it.each(['accountEmail', 'account_email', 'email', 'address'])('§3 its email is read from %s', (name) => {
    expect(readCredentials([{ [name]: 'a@exists.test', provider: 'GOOGLE' }])).toEqual([google]);
  });

  it.each([
    ['google', 'GOOGLE'],
    ['Microsoft', 'MICROSOFT'],
    ['MICROSOFT', 'MICROSOFT'],
    [undefined, 'UNKNOWN'],
    ['', 'UNKNOWN'],
    ['yahoo', 'UNKNOWN'],
    [7, 'UNKNOWN'],
  ])('§3 the provider %s is %s', (provider, read) => {
    expect(readCredentials([{ email: 'a@exists.test', provider }])[0]?.provider).toBe(read);
  });

  it('§3 the list may be an array of strings', () => {
    expect(readCredentials(['a@exists.test'])).toEqual([unknown]);
  });

  it.each(['credentials', 'emails', 'items', 'data'])('§3 or an object holding %s', (name) => {
    expect(readCredentials({ [name]: [{ email: 'a@exists.test', provider: 'google' }] })).toEqual([google]);
    expect(readCredentials({ [name]: ['a@exists.test'] })).toEqual([unknown]);
  });

  it.each([[null], [undefined], ['text'], [{}], [{ data: 'text' }], [[null, 7, {}, { email: ' ' }, []]]])(
    'anything else is a list of none: %o',
    (answer) => {
      expect(readCredentials(answer)).toEqual([]);
    },
  );

  it('tells of access that ended, and where consent is withdrawn, but never a link that runs', () => {
    const entry = { email: 'a@exists.test', provider: 'MICROSOFT', status: 'ENDED' };
    const consentUrl = 'https://consent.test/';

    expect(readCredentials([{ ...entry, consent_url: consentUrl }])).toEqual([
      { email: 'a@exists.test', provider: 'MICROSOFT', isEnded: true, consentUrl },
    ]);
    expect(readCredentials([{ ...entry, consent_url: 'javascript:alert(1)' }])[0]?.consentUrl).toBeNull();
  });
});
