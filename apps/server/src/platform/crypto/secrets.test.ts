import { describe, expect, it } from 'vitest';
import { createSecrets } from './secrets.ts';

describe('secrets', () => {
  const secret = 'a secret of at least thirty-two bytes';

  it('give every process the same key for the same purpose', () => {
    expect(createSecrets(secret).keyFor('links')).toEqual(createSecrets(secret).keyFor('links'));
    expect(createSecrets(secret).keyFor('links')).toHaveLength(32);
  });

  it('give each purpose and each installation a key of its own', () => {
    const { keyFor, keyedHash } = createSecrets(secret);

    expect(keyFor('links')).not.toEqual(keyFor('keys'));
    expect(keyedHash('links', 'ada')).not.toBe(keyedHash('keys', 'ada'));
    expect(keyedHash('links', 'ada')).not.toBe(createSecrets(`${secret}!`).keyedHash('links', 'ada'));
  });

  // What is stored must still be found after an upgrade: this value may never change.
  it('find again what an earlier version stored', () => {
    expect(createSecrets(secret).keyedHash('attempts', 'coupon:ann')).toBe(
      '9f3c09eefe104259f941f280300ea0c261dabf324f739c34908f1ad9d5c67caf',
    );
  });
});
