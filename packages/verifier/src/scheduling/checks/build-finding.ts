import { flagsOf, noFlags } from '../../address/address-flags.ts';
import type { RefusedAddress } from '../../address/parse-address.ts';
import { basisBy, basisOf } from '../../basis.ts';
import type { EvidenceStage } from '../../evidence.ts';
import type { TryAgain, Verdict } from '../../finding.ts';
import { type Reason, resultOf } from '../../judgement/reasons.ts';
import type { Job } from '../jobs/job.ts';

export function buildVerdict<T>(job: Job, reason: Reason, evidence: EvidenceStage[]): Verdict<T> {
  const verdict: Verdict<T> = {
    kind: 'verdict',
    item: job.item as T,
    email: job.email,
    result: resultOf(reason),
    reason,
    flags: flagsOf(job),
    evidence,
    ...basisWanted(job, reason, evidence),
  };
  const { suggestion, mxProvider } = job.domain;
  if (suggestion !== undefined) verdict.didYouMean = `${job.local}@${suggestion}`;
  if (mxProvider !== undefined) verdict.mxProvider = mxProvider;
  return verdict;
}

export function buildTryAgain<T>(
  job: Job,
  reason: Reason,
  afterMs: number,
  evidence: EvidenceStage[],
): TryAgain<T> {
  const { mxProvider } = job.domain;
  return {
    kind: 'try_again',
    afterMs,
    deferralCount: job.deferralCount,
    item: job.item as T,
    email: job.email,
    result: resultOf(reason),
    reason,
    flags: flagsOf(job),
    ...(mxProvider !== undefined && { mxProvider }),
    evidence,
    ...basisWanted(job, reason, evidence),
  };
}

export function buildSyntaxVerdict<T>(item: T, { email, reason }: RefusedAddress): Verdict<T> {
  return {
    kind: 'verdict',
    item,
    email,
    result: 'INVALID',
    reason,
    flags: noFlags,
    evidence: [{ stage: 'syntax', note: reason }],
    basis: basisBy('syntax'),
  };
}

const basisWanted = (job: Job, reason: Reason, evidence: EvidenceStage[]): Pick<Verdict<never>, 'basis'> =>
  job.client.wantsEvidence ? { basis: basisOf(job, reason, evidence) } : {};
