import type { SingleValidation } from '@assay/contract';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { outcomeWords } from '../../../shared/evidence/outcome-words.ts';
import { VerdictButton } from '../../../shared/evidence/verdict-button.tsx';
import classes from './email-result.module.css';

interface EmailResultProps {
  email: Pick<SingleValidation, 'email_address_status' | 'reason' | 'outcomes'>;
  onOpen: () => void;
}

/** How an address was judged, and the last that happened to mail for it; opens its evidence. */
export function EmailResult({ email, onOpen }: EmailResultProps) {
  const { email_address_status: verdict, reason, outcomes: [latest] = [] } = email;
  if (verdict === null) return <VerdictMark verdict="PENDING" label="Verifying..." />;
  return (
    <>
      <VerdictButton verdict={verdict} reason={reason?.text} onOpen={onOpen} />
      {latest ? <span className={classes.outcome}>{outcomeWords(latest)}</span> : null}
    </>
  );
}
