import type { SingleValidation, SingleValidationDetail } from '@assay/contract';
import { Button } from '@mantine/core';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { verdictLooks } from '../../../shared/components/verdicts.ts';
import { useSingle } from '../api/get-single.ts';
import classes from './latest-result.module.css';
import { SingleEvidence } from './single-evidence.tsx';
import { singleWaitWords } from './single-wait-words.ts';

/** A check that was started; only its address is known until the server has answered. */
export type StartedCheck = Pick<SingleValidationDetail, 'email_address'> & Partial<SingleValidationDetail>;

/** The result of the check that was started last, below the field it was typed into. */
export function LatestResult({ started }: { started: StartedCheck }) {
  const single = useSingle(started.id);
  const evidence = usePanel<SingleValidation>();
  const latest = single.data ?? started;
  const { email_address, email_address_status = null, reason, waiting, suggestion } = latest;
  const verdict = email_address_status ?? 'PENDING';
  return (
    <section
      className={classes.root}
      style={{ background: verdictLooks[verdict].tintColor }}
      aria-label="Latest result"
    >
      <VerdictMark verdict={verdict} size={20} label={verdict === 'PENDING' ? 'Verifying...' : true} />
      <p className={classes.words}>
        <strong>
          <bdi>{email_address}</bdi>
        </strong>
        {reason ? <span>{reason.text}</span> : null}
        {suggestion ? (
          <span>
            Did you mean <bdi>{suggestion}</bdi>?
          </span>
        ) : null}
        {waiting ? <span>{singleWaitWords(waiting, new Date())}</span> : null}
        {verdict === 'UNKNOWN' ? <span>You were not charged for it.</span> : null}
      </p>
      {verdict === 'PENDING' ? null : (
        <Button variant="subtle" size="compact-sm" onClick={() => single.data && evidence.open(single.data)}>
          Show evidence
        </Button>
      )}
      <SingleEvidence panel={evidence} />
    </section>
  );
}
