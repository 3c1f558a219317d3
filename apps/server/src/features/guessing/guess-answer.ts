import type { Guess, GuessDetail } from '@assay/contract';
import { detailFlagsAnswer, evidenceAnswer, reasonAnswer } from '../engine/index.ts';
import { domainLimitReached } from './domain-limit.ts';
import { priceOf } from './guess-price.ts';
import type { GuessRow, ListedGuess } from './guesses.store.ts';
import type { StoredTry } from './guessing.tables.ts';
import { noLikelyAddress } from './next-step.ts';

/** Reasons that the verifier does not have. */
const ownReasons: Readonly<Record<string, string>> = {
  [noLikelyAddress]: 'The mail host refuses every likely address of this person.',
  [domainLimitReached]:
    'As many people were guessed at this domain as one day allows. Guess this person again tomorrow.',
};

function guessReason(code: string): { code: string; text: string };
function guessReason(code: string | null): { code: string; text: string } | null;
function guessReason(code: string | null) {
  const own = code === null ? undefined : ownReasons[code];
  return own === undefined ? reasonAnswer(code) : { code, text: own };
}

export const guessAnswer = (guess: ListedGuess): Guess => ({
  id: guess.id,
  first_name: guess.first_name,
  last_name: guess.last_name,
  domain: guess.domain,
  status: guess.status,
  outcome: guess.outcome,
  email_address: guess.email_address,
  // Before the end, the reason is only a note.
  reason: guess.outcome === null ? null : guessReason(guess.reason),
  charged_credits: chargedCreditsOf(guess),
  creation_date: guess.created_at.toISOString(),
});

const chargedCreditsOf = ({ outcome, charges_every_answer }: ListedGuess): 0 | 1 | null =>
  outcome === null ? null : priceOf(outcome, charges_every_answer);

export const guessDetailAnswer = (guess: GuessRow): GuessDetail => ({
  ...guessAnswer(guess),
  // Without an address there is nothing that the flags could describe.
  flags: guess.email_address === null ? null : detailFlagsAnswer(guess.detail),
  mx_provider: guess.detail?.mx_provider ?? null,
  suggestion: guess.detail?.suggestion ?? null,
  evidence: evidenceAnswer(guess.detail),
  tries: shownTries(guess).map(({ emailAddress, pattern, verdict, reason }) => ({
    email_address: emailAddress,
    pattern,
    email_address_status: verdict,
    reason: guessReason(reason),
  })),
});

/** A verdict costs a credit, so of the clear answers only the one that was charged is shown: the last, which decided. */
function shownTries(guess: GuessRow): StoredTry[] {
  const isClear = ({ verdict }: StoredTry) => verdict !== 'UNKNOWN';
  const charged = chargedCreditsOf(guess) === 1 ? guess.tries.findLast(isClear) : undefined;
  return guess.tries.filter((tried) => !isClear(tried) || tried === charged);
}
