import type { EvidenceStage, Outcome } from '@assay/verifier';
import { expect, it } from 'vitest';
import { findingOf } from './finding.ts';

const flags = { isDisposable: false, isRole: false, isFreeProvider: false, hasPlusTag: false };

it.each<[string, EvidenceStage, string | null]>([
  ['a reply', { stage: 'rcpt', reply: '250 OK' }, '250 OK'],
  ['a note', { stage: 'dns', note: 'MX mx.test' }, 'MX mx.test'],
  ["a note and the provider's limit", { stage: 'dns', note: 'MX mx.test', limit: 'Two' }, 'MX mx.test · Two'],
  ['nothing', { stage: 'rcpt' }, null],
])('evidence with %s is stored with these words', (_, stage, words) => {
  const outcome = { result: 'UNKNOWN', reason: 'throttled', flags, evidence: [stage] } as unknown;
  expect(JSON.parse(findingOf(outcome as Outcome<unknown>).detail).evidence[0].reply).toBe(words);
});
