import { ADDRESS_FLAGS } from '@assay/contract';
import { type EvidenceStage, type Finding, noFlags } from '@assay/verifier';
import { expect, it } from 'vitest';
import { detailFlagsAnswer, flagsAnswer, storedFindingOf } from './stored-finding.ts';

it.each<[string, EvidenceStage, string | null]>([
  ['a reply', { stage: 'rcpt', reply: '250 OK' }, '250 OK'],
  ['a note', { stage: 'dns', note: 'MX mx.test' }, 'MX mx.test'],
  ["a note and the provider's limit", { stage: 'dns', note: 'MX mx.test', limit: 'Two' }, 'MX mx.test · Two'],
  ['nothing', { stage: 'rcpt' }, null],
])('evidence with %s is stored with these words', (_, stage, words) => {
  const finding = { result: 'UNKNOWN', reason: 'throttled', flags: noFlags, evidence: [stage] } as unknown;
  expect(JSON.parse(storedFindingOf(finding as Finding<unknown>).detail).evidence[0].reply).toBe(words);
});

it('the engine and the contract have the same flags in the same order', () => {
  expect(Object.keys(noFlags)).toEqual(ADDRESS_FLAGS);
});

// Stored results have these bits.
it.each([
  ['disposable', 1],
  ['role', 2],
  ['free_provider', 4],
  ['plus_tag', 8],
])('the flag %s is stored as the bit %i, and read back', (flag, bit) => {
  const flags = { ...noFlags, [flag]: true };
  const finding = { result: 'VALID', reason: 'mailbox_accepted', flags, evidence: [] } as unknown;
  const stored = storedFindingOf(finding as Finding<unknown>);
  expect(stored.flags).toBe(bit);
  expect(flagsAnswer(bit)).toEqual(flags);
  expect(detailFlagsAnswer(JSON.parse(stored.detail))).toEqual(flags);
});

it('a flag that a stored detail is too old for is not set', () => {
  const detail = { flags: { disposable: true }, suggestion: null, evidence: [] };
  expect(detailFlagsAnswer(detail)).toEqual({ ...noFlags, disposable: true });
  expect(detailFlagsAnswer({ ...detail, flags: null })).toBeNull();
});
