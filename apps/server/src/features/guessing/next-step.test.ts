import type { Verdict } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import type { StoredTry } from './guessing.tables.ts';
import { nextStep } from './next-step.ts';
import { rankCandidates } from './patterns/rank-candidates.ts';

const candidates = rankCandidates({ firstName: 'Jane', lastName: 'Doe' }, 'acme.com', new Map());
const limits = { triesMax: 3 };
const noDetail = { flags: null, suggestion: null, evidence: [] };

const tried = (at: number, verdict: Verdict, reason: string): StoredTry => ({
  emailAddress: candidates[at]?.emailAddress ?? '',
  pattern: candidates[at]?.pattern ?? '{first}',
  verdict,
  reason,
  detail: noDetail,
});
const refused = (at: number) => tried(at, 'INVALID', 'no_such_mailbox');

describe('after what was tried', () => {
  it('the likeliest untried address is next', () => {
    expect(nextStep(candidates, [], limits)).toEqual({ kind: 'ask', candidate: candidates[0] });
    expect(nextStep(candidates, [refused(0)], limits)).toEqual({ kind: 'ask', candidate: candidates[1] });
    // Ranked anew meanwhile: what was asked for is not asked again.
    expect(nextStep(candidates, [refused(1)], limits)).toEqual({ kind: 'ask', candidate: candidates[0] });
  });

  it.each([
    ['VALID', 'mailbox_accepted', 'FOUND', 'jdoe@acme.com'],
    ['CATCH_ALL', 'catch_all', 'CATCH_ALL', 'jdoe@acme.com'],
    ['INVALID', 'null_mx', 'NOT_FOUND', null],
    ['UNKNOWN', 'blocked', 'UNKNOWN', null],
  ] as const)('%s for %s ends it: %s', (verdict, reason, outcome, emailAddress) => {
    const last = tried(1, verdict, reason);

    expect(nextStep(candidates, [refused(0), last], limits)).toEqual({
      kind: 'end',
      end: { outcome, emailAddress, reason, decidedBy: last },
    });
  });

  it('a full mailbox is skipped, and the guess ends UNKNOWN instead of NOT_FOUND', () => {
    const full = tried(0, 'UNKNOWN', 'mailbox_full');

    expect(nextStep(candidates, [full], limits).kind).toBe('ask');
    expect(nextStep(candidates, [full, refused(1), refused(2)], limits)).toMatchObject({
      end: { outcome: 'UNKNOWN', reason: 'mailbox_full', decidedBy: full },
    });
    expect(nextStep(candidates, [full, tried(1, 'VALID', 'mailbox_accepted')], limits)).toMatchObject({
      end: { outcome: 'FOUND' },
    });
  });

  it('the guess ends at the limit of tries or after the last candidate', () => {
    const end = { outcome: 'NOT_FOUND', emailAddress: null, reason: 'no_likely_address' };

    expect(nextStep(candidates, [refused(0), refused(1), refused(2)], limits)).toMatchObject({ end });
    expect(nextStep(candidates.slice(0, 1), [refused(0)], limits)).toMatchObject({ end });
    expect(nextStep([], [], limits)).toMatchObject({ end: { ...end, decidedBy: null } });
  });
});
