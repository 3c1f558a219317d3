import type { CheckOutcome } from '@assay/contract';
import { expect, it } from 'vitest';
import { outcomeWords } from './outcome-words.ts';

const outcome = (changes: Partial<CheckOutcome>): CheckOutcome => ({
  kind: 'hard',
  at: '2026-11-20T12:00:00Z',
  reason: { code: 'no_such_mailbox', text: 'no such mailbox' },
  words: '550 5.1.1 User unknown',
  ...changes,
});

it('says what happened, when and why', () => {
  expect(outcomeWords(outcome({}))).toBe('bounced Nov 20: no such mailbox');
  expect(
    outcomeWords(outcome({ kind: 'complaint', reason: { code: 'complaint', text: 'marked as junk' } })),
  ).toBe('complained Nov 20: marked as junk');
});

it('leaves out a reason that says the same again', () => {
  expect(
    outcomeWords(outcome({ kind: 'delivered', reason: { code: 'delivered', text: 'the mail arrived' } })),
  ).toBe('delivered Nov 20');
});
