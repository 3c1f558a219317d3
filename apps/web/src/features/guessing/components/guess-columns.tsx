import type { Guess } from '@assay/contract';
import type { DataGridColumn } from '../../../shared/components/data-grid/data-grid.tsx';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { VerdictButton } from '../../../shared/evidence/verdict-button.tsx';
import { fullNameOf, outcomeLooks } from '../outcomes.ts';
import classes from './guess-columns.module.css';

/** What a grid of guesses says of each; the first names it. */
export const guessColumns = (
  onOpen: (guess: Guess) => void,
  { isPaused = false } = {},
): [DataGridColumn<Guess>, ...DataGridColumn<Guess>[]] => [
  { header: 'Name', cell: fullNameOf },
  { header: 'Company domain', cell: ({ domain }) => <span className={classes.address}>{domain}</span> },
  {
    header: 'Result',
    cell: (guess) => <GuessResult guess={guess} isPaused={isPaused} onOpen={() => onOpen(guess)} />,
    compact: 'beside',
  },
  { header: 'Email', isText: true, cell: addressCell },
];

/** How a guess ended; opens its evidence. */
function GuessResult({ guess, isPaused, onOpen }: { guess: Guess; isPaused: boolean; onOpen: () => void }) {
  if (guess.outcome === null && isPaused) return <span className={classes.none}>Paused</span>;
  if (guess.outcome === null) return <VerdictMark verdict="PENDING" label="Guessing..." />;
  return <VerdictButton {...outcomeLooks[guess.outcome]} reason={guess.reason?.text} onOpen={onOpen} />;
}

/** The address that was proved, or the likeliest of a domain that takes every name. */
function addressCell({ email_address, outcome }: Guess) {
  if (email_address === null) return null;
  return (
    <span className={classes.address}>
      {outcome === 'CATCH_ALL' ? <span className={classes.likely}>most likely </span> : null}
      {email_address}
    </span>
  );
}
