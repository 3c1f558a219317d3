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

/** Reasons that say no to the whole domain: no other name there is worth asking for. */
const noToDomain: ReadonlySet<string> = new Set([
  'no_such_domain',
  'no_mail_host',
  'null_mx',
  'syntax_domain',
]);

/** An unknown that is about this mailbox only; every other is about the host, which would say the same again. */
const unknownOfMailbox: ReadonlySet<string> = new Set(['mailbox_full']);

/** Ends a guess whose every likely address was refused. */
export const noLikelyAddress = 'no_likely_address';

/**
 * What to do for a person after what was tried: ask for the next likely address, or end. `candidates` are ranked by what
 * is known now, which may be more than was known at the first try.
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

  // Somebody whose mailbox would not say may be there: that is no 'not found'.
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
