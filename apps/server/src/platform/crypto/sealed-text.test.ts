import { describe, expect, it } from 'vitest';
import { openText, sealText } from './sealed-text.ts';
import { createSecrets } from './secrets.ts';

describe('a sealed text', () => {
  const secrets = createSecrets('a secret of at least thirty-two bytes');
  const sealedFor = { purpose: 'keys', rowId: 'row 1' };

  it('opens for what it was sealed for, and tells nothing before', () => {
    const sealed = sealText(secrets, sealedFor, 'Grüße');

    expect(Buffer.from(sealed, 'base64').includes('Grüße')).toBe(false);
    expect(openText(secrets, sealedFor, sealed)).toBe('Grüße');
  });

  it('looks different each time', () => {
    expect(sealText(secrets, sealedFor, 'same')).not.toBe(sealText(secrets, sealedFor, 'same'));
  });

  it('does not open in another row, for another purpose, under another secret, or changed', () => {
    const sealed = sealText(secrets, sealedFor, 'text');
    const changed = Buffer.from(sealed, 'base64');
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;

    expect(() => openText(secrets, { ...sealedFor, rowId: 'row 2' }, sealed)).toThrow();
    expect(() => openText(secrets, { ...sealedFor, purpose: 'links' }, sealed)).toThrow();
    expect(() => openText(createSecrets('another secret, just as long as it'), sealedFor, sealed)).toThrow();
    expect(() => openText(secrets, sealedFor, changed.toString('base64'))).toThrow();
  });
});
