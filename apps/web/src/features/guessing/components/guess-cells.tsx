import type { Guess } from '@assay/contract';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { VerdictButton } from '../../../shared/evidence/verdict-button.tsx';
import { outcomeLooks } from '../outcomes.ts';
import classes from './guess-cells.module.css';

/** How a guess ended; opens its evidence. */
export function GuessResult({ guess, onOpen }: { guess: Guess; onOpen: () => void }) {
  if (guess.outcome === null) return <VerdictMark verdict="PENDING" label="Guessing..." />;
  return <VerdictButton {...outcomeLooks[guess.outcome]} reason={guess.reason?.text} onOpen={onOpen} />;
}

/** The address that was proved, or the likeliest of a domain that takes every name. */
export function GuessAddress({ guess: { email_address, outcome } }: { guess: Guess }) {
  if (email_address === null) return <span className={classes.none}>–</span>;
  return (
    <span className={classes.address}>
      {outcome === 'CATCH_ALL' ? <span className={classes.likely}>most likely </span> : null}
      {email_address}
    </span>
  );
}
