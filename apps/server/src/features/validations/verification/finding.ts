import type { Outcome } from '@assay/verifier';
import type { StoredDetail } from '../validations.tables.ts';

/** A verdict as it is stored. */
export interface Finding {
  readonly verdict: Outcome<unknown>['result'];
  readonly reason: string;
  readonly detail: StoredDetail;
}

/** What the engine found, in our own words. An outcome to try again reads as the UNKNOWN that it is so far. */
export function findingOf(outcome: Outcome<unknown>): Finding {
  return {
    verdict: outcome.result,
    reason: outcome.reason,
    detail: {
      flags: {
        disposable: outcome.flags.isDisposable,
        role: outcome.flags.isRole,
        free_provider: outcome.flags.isFreeProvider,
        plus_tag: outcome.flags.hasPlusTag,
      },
      suggestion: outcome.didYouMean ?? null,
      evidence: outcome.evidence.map((stage) => ({
        stage: stage.stage,
        host: stage.host ?? null,
        address: stage.ip ?? null,
        reply: stage.reply ?? stage.note ?? null,
        took_ms: Math.round(stage.ms ?? 0),
      })),
    },
  };
}

/** VALID, INVALID and CATCH_ALL cost a credit; UNKNOWN proves nothing and costs nothing. */
export const isCharged = (verdict: Finding['verdict']): boolean => verdict !== 'UNKNOWN';
