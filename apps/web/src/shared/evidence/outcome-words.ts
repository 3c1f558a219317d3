import { type CheckOutcome, OUTCOME_VERBS, OUTCOMES_WITHOUT_REASON } from '@assay/contract';
import { formatChartDay } from '../format/dates.ts';

/** What happened to a mail, such as `bounced Nov 20: no such mailbox`. */
export function outcomeWords({ kind, at, reason }: CheckOutcome): string {
  const happened = `${OUTCOME_VERBS[kind]} ${formatChartDay(at)}`;
  return OUTCOMES_WITHOUT_REASON.has(kind) ? happened : `${happened}: ${reason.text}`;
}
