import { VERDICT_REASONS } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { reasonWords } from './reason-words.ts';

describe('a reason in a few words', () => {
  it.each(VERDICT_REASONS)('%s has no code in it, and fits in a row', (code) => {
    expect(reasonWords(code)).toMatch(/^[A-Z][A-Za-z -]+$/);
    expect(reasonWords(code)).not.toMatch(/\b(mx|dns|smtp|tls)\b/i);
    expect(reasonWords(code).length).toBeLessThanOrEqual(28);
  });

  it('reads like speech, also for a reason of another version', () => {
    expect(reasonWords('no_such_mailbox')).toBe('No such mailbox');
    expect(reasonWords('null_mx')).toBe('Domain takes no mail');
    expect(reasonWords('of_another_version')).toBe('Of another version');
  });
});
