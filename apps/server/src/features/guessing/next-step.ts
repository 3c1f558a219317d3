import type { GuessOutcome } from '@assay/contract';
import type { StoredTry } from './guessing.tables.ts';
import type { Candidate } from './patterns/rank-candidates.ts';

/** How a guess ends, and which of the tries decided it. */
export interface GuessEnd {
  readonly outcome: GuessOutcome;
  /** The proved address, or with CATCH_ALL the likeliest. */
  readonly emailAddress: string | null;
  readonly reason: string;
  readonly decidedBy: StoredTry | null;
}

type Step =
  | { readonly kind: 'ask'; readonly candidate: Candidate }
  | { readonly kind: 'end'; readonly end: GuessEnd };

/** Reasons that apply to the whole domain, so that no other address there is worth trying. */
const noToDomain: ReadonlySet<string> = new Set([
  'no_such_domain',
  'no_mail_host',
  'null_mx',
  'syntax_domain',
]);

/** UNKNOWN for this mailbox only. Every other UNKNOWN is about the host, which would answer the same again. */
const unknownOfMailbox: ReadonlySet<string> = new Set(['mailbox_full']);

/** The reason of a guess when the host refused every likely address. */
export const noLikelyAddress = 'no_likely_address';

/**
 * The next step for a person: try the next likely address, or end. The ranking of `candidates` may have changed since the
 * first try.
 */
export function nextStep(
  candidates: readonly Candidate[],
  tries: readonly StoredTry[],
  { triesMax }: { readonly triesMax: number },
): Step {
  const last = tries.at(-1);
  if (last && isDecisive(last)) return { kind: 'end', end: endOf(last) };

  const asked = new Set(tries.map(({ emailAddress }) => emailAddress));
  const next = candidates.find(({ emailAddress }) => !asked.has(emailAddress));
  if (next && tries.length < triesMax) return { kind: 'ask', candidate: next };

  // The person may have a mailbox that gave no answer, so this is not NOT_FOUND.
  const unknown = tries.find(({ verdict }) => verdict === 'UNKNOWN');
  if (unknown) return { kind: 'end', end: endOf(unknown) };
  return {
    kind: 'end',
    end: { outcome: 'NOT_FOUND', emailAddress: null, reason: noLikelyAddress, decidedBy: last ?? null },
  };
}

function isDecisive({ verdict, reason }: StoredTry): boolean {
  if (verdict === 'INVALID') return noToDomain.has(reason);
  return verdict !== 'UNKNOWN' || !unknownOfMailbox.has(reason);
}

const outcomes = {
  VALID: 'FOUND',
  CATCH_ALL: 'CATCH_ALL',
  INVALID: 'NOT_FOUND',
  UNKNOWN: 'UNKNOWN',
} as const;

function endOf(decidedBy: StoredTry): GuessEnd {
  const outcome = outcomes[decidedBy.verdict];
  const hasAddress = outcome === 'FOUND' || outcome === 'CATCH_ALL';
  const emailAddress = hasAddress ? decidedBy.emailAddress : null;
  return { outcome, emailAddress, reason: decidedBy.reason, decidedBy };
}
