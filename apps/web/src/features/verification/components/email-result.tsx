import type { SingleValidation } from '@assay/contract';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { VerdictButton } from '../../../shared/evidence/verdict-button.tsx';

interface EmailResultProps {
  email: Pick<SingleValidation, 'email_address_status' | 'reason'>;
  onOpen: () => void;
}

/** How an address was judged; opens its evidence. */
export function EmailResult({ email: { email_address_status: verdict, reason }, onOpen }: EmailResultProps) {
  if (verdict === null) return <VerdictMark verdict="PENDING" label="Verifying..." />;
  return <VerdictButton verdict={verdict} reason={reason?.text} onOpen={onOpen} />;
}
