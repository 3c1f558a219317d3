import type { CheckOutcome, OutcomeKind } from '@assay/contract';
import { formatChartDay } from '../format/dates.ts';

const words: Readonly<Record<OutcomeKind, string>> = {
  hard: 'bounced',
  soft: 'delayed',
  block: 'blocked',
  complaint: 'complained',
  unsubscribed: 'unsubscribed',
  auto_reply: 'answered',
  delivered: 'delivered',
  not_sent: 'not sent',
  unclear: 'bounced',
};

/** What happened to a mail, such as `bounced Nov 20: no such mailbox`. */
export function outcomeWords({ kind, at, reason }: CheckOutcome): string {
  const happened = `${words[kind]} ${formatChartDay(at)}`;
  return saysNoMore.has(kind) ? happened : `${happened}: ${reason.text}`;
}

/** Their reason says the same again. */
const saysNoMore: ReadonlySet<OutcomeKind> = new Set(['delivered', 'unsubscribed', 'auto_reply']);
