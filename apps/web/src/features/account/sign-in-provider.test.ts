import { describe, expect, it } from 'vitest';
import { providerName, socialIdentities } from './sign-in-provider.ts';

describe('§2 Signed in with {provider}', () => {
  it.each([
    ['google', 'Google'],
    ['google-oauth2', 'Google'],
    ['github', 'GitHub'],
    ['okta', 'Okta'],
  ])('%s is called %s', (identity, name) => {
    expect(providerName(identity)).toBe(name);
  });

  it('is for identities other than email', () => {
    expect(socialIdentities(['email'])).toEqual([]);
    expect(socialIdentities(['email', 'google'])).toEqual(['google']);
  });
});
