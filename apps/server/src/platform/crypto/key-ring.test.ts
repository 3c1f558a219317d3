import { describe, expect, it } from 'vitest';
import { createKeyRing, KeyMissing } from './key-ring.ts';

const oldKey = 'the old key, which has thirty-two bytes';
const newKey = 'the new key, which has them just as well';

describe('a key ring', () => {
  it('opens what it sealed, in its row only', () => {
    const ring = createKeyRing('tokens', [oldKey]);
    const sealed = ring.seal('row 1', 'ya29.token');

    expect(JSON.stringify(sealed)).not.toContain('ya29');
    expect(ring.open('row 1', sealed)).toBe('ya29.token');
    expect(() => ring.open('row 2', sealed)).toThrow();
  });

  it('after a change of keys seals with the new one and still opens what the old one sealed', () => {
    const before = createKeyRing('tokens', [oldKey]);
    const after = createKeyRing('tokens', [newKey, oldKey]);
    const sealed = before.seal('row 1', 'text');

    expect(after.open('row 1', sealed)).toBe('text');
    expect(after.seal('row 1', 'text').keyId).toBe(after.currentKeyId);
    expect(after.currentKeyId).not.toBe(before.currentKeyId);
    expect(after.keyIds).toEqual([after.currentKeyId, before.currentKeyId]);
  });

  it('says which key is missing, and not what it was', () => {
    const sealed = createKeyRing('tokens', [oldKey]).seal('row 1', 'text');

    expect(() => createKeyRing('tokens', [newKey]).open('row 1', sealed)).toThrow(KeyMissing);
    expect(() => createKeyRing('tokens', [newKey]).open('row 1', sealed)).toThrow(sealed.keyId);
  });

  it('names a key differently for each purpose, so that a name cannot be followed around', () => {
    expect(createKeyRing('tokens', [oldKey]).currentKeyId).not.toBe(
      createKeyRing('other', [oldKey]).currentKeyId,
    );
  });
});
