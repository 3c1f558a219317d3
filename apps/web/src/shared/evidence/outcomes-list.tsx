import type { CheckOutcome } from '@assay/contract';
import classes from './evidence-panel.module.css';
import { outcomeWords } from './outcome-words.ts';

/** What happened to mail for an address after its check, the latest first. */
export function OutcomesList({ outcomes }: { outcomes: readonly CheckOutcome[] }) {
  return (
    <section aria-label="After sending">
      <h3 className={classes.heading}>After sending</h3>
      <ul className={classes.outcomes}>
        {outcomes.map((outcome) => (
          <li key={`${outcome.kind} ${outcome.at} ${outcome.words}`} data-kind={outcome.kind}>
            <strong>{outcomeWords(outcome)}</strong>
            {outcome.words ? <q>{outcome.words}</q> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
