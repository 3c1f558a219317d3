import { ADDRESS_FLAGS } from '@assay/contract';
import { startMailWorld } from '@assay/mail-world';
import { createVerifier, type EvidenceStage, type Finding, judgeAgain, noFlags } from '@assay/verifier';
import { expect, it, onTestFinished } from 'vitest';
import type { StoredDetail } from './engine.tables.ts';
import { detailFlagsAnswer, evidenceAnswer, flagsAnswer, storedFindingOf } from './stored-finding.ts';

it.each<[string, EvidenceStage, string | null]>([
  ['a reply', { stage: 'rcpt', reply: '250 OK' }, '250 OK'],
  ['a note', { stage: 'dns', note: 'MX mx.test' }, 'MX mx.test'],
  ["a note and the provider's limit", { stage: 'dns', note: 'MX mx.test', limit: 'Two' }, 'MX mx.test · Two'],
  ['nothing', { stage: 'rcpt' }, null],
  ['a reply of two lines', { stage: 'rcpt', reply: '550 one\ntwo' }, '550 one two'],
])('evidence with %s is shown with these words', (_, stage, words) => {
  const finding = { result: 'UNKNOWN', reason: 'throttled', flags: noFlags, evidence: [stage] } as unknown;
  const detail = JSON.parse(storedFindingOf(finding as Finding<unknown>).detail);
  expect(evidenceAnswer(detail)).toEqual([
    { stage: stage.stage, host: null, address: null, reply: words, took_ms: 0 },
  ]);
});

it('evidence is stored whole and without empty fields, and shown without what only the rules need', () => {
  const reply = `550 5.1.1 ${'x'.repeat(900)}\nend`;
  const ourNames = ['probe.example.com'];
  const stage = { stage: 'rcpt', reply, rule: 'other-5xx', reason: 'blocked', ourNames } as const;
  const basis = { rules: 1, rule: 'other-5xx', code: 550, enhanced: '5.1.1' };
  const finding = {
    result: 'UNKNOWN',
    reason: 'blocked',
    flags: noFlags,
    evidence: [stage],
    basis,
  } as unknown;
  const detail = JSON.parse(storedFindingOf(finding as Finding<unknown>).detail);
  const fields = { host: null, address: null, took_ms: 0 };
  expect(detail).toMatchObject({ basis, evidence: [{ ...stage, ...fields }] });
  expect(Object.keys(detail.evidence[0])).not.toContain('limit');
  expect(evidenceAnswer(detail)).toEqual([{ stage: 'rcpt', reply: reply.replace('\n', ' '), ...fields }]);
});

it('what is stored of every host of the mail world is judged as before, without asking anybody', async () => {
  const world = await startMailWorld();
  onTestFinished(() => world.close());
  const verifier = createVerifier({
    dns: [world.dns],
    allowRanges: world.allowRanges,
    helo: 'probe.example.com',
    timeouts: { commandMs: 5_000, recipientMs: 5_000, greetingMs: 5_000, connectMs: 5_000, tlsMs: 5_000 },
  });
  onTestFinished(() => verifier.close());
  const addresses = world.examples.map(({ address }) => address);
  const findings = await Array.fromAsync(verifier.verifyAll(addresses, { patienceMs: 15_000 }));
  expect(findings).toHaveLength(addresses.length);
  world.conduct.reset();

  const changed = findings.filter((finding) => {
    const { reason, detail } = storedFindingOf(finding);
    const again = judgeAgain({ email: finding.email, reason, ...(JSON.parse(detail) as StoredDetail) });
    return again?.reason !== finding.reason;
  });
  expect(changed).toEqual([]);
  expect(world.conduct.total.connectionsTotal).toBe(0);
}, 120_000);

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
