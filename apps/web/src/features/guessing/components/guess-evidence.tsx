import type { Guess, GuessTry } from '@assay/contract';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import type { Panel } from '../../../shared/components/use-panel.ts';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { useGuess } from '../api/get-guess.ts';
import { fullNameOf, outcomeLooks } from '../outcomes.ts';
import classes from './guess-evidence.module.css';

const EvidencePanel = lateDialog(
  async () => (await import('../../../shared/evidence/evidence-panel.tsx')).EvidencePanel,
);

/** Why a guess ended as it did: the reason, the address that decided, and what the hosts said. */
export function GuessEvidence({ panel }: { panel: Panel<Guess> }) {
  const detail = useGuess(panel.subject?.id);
  // What was pending when the panel was opened may be complete by now.
  const guess = detail.data ?? panel.subject;
  const look = guess?.outcome ? outcomeLooks[guess.outcome] : undefined;
  return (
    <EvidencePanel
      isOpen={panel.isOpen}
      email={
        guess && {
          email_address: guess.email_address ?? `${fullNameOf(guess)} at ${guess.domain}`,
          email_address_status: look?.verdict ?? null,
          reason: guess.reason,
        }
      }
      label={labelOf(guess)}
      detail={asyncStateOf(detail)}
      onRetry={() => void detail.refetch()}
      onClose={panel.close}
    >
      {guess?.charged_credits === 1 ? (
        <p className={classes.charged}>You were charged 1 credit for this answer.</p>
      ) : null}
      {detail.data && detail.data.tries.length > 0 ? <Tries tries={detail.data.tries} /> : null}
    </EvidencePanel>
  );
}

function labelOf(guess: Guess | undefined): string {
  if (!guess?.outcome) return 'Guessing...';
  if (guess.outcome === 'CATCH_ALL') return `Catch all: most likely ${guess.email_address}`;
  return outcomeLooks[guess.outcome].label;
}

function Tries({ tries }: { tries: readonly GuessTry[] }) {
  return (
    <section aria-label="Addresses asked for">
      <h3 className={classes.heading}>Addresses asked for</h3>
      <ol className={classes.tries}>
        {tries.map(({ email_address, email_address_status, pattern, reason }) => (
          <li key={email_address} className={classes.try} title={reason.text}>
            <VerdictMark verdict={email_address_status} />
            <span className={classes.address}>{email_address}</span>
            <code className={classes.pattern}>{pattern}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}
