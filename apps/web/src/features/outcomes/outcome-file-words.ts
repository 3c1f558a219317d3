import type { OutcomeFile, OutcomeKind, OutcomeSource, ReportedKind } from '@assay/contract';
import { formatCredits } from '../../shared/format/counts.ts';

export const kindLabels: Readonly<Record<OutcomeKind, string>> = {
  hard: 'Hard bounce',
  soft: 'Soft bounce',
  block: 'Blocked',
  complaint: 'Complaint',
  unsubscribed: 'Unsubscribed',
  auto_reply: 'Automatic answer',
  delivered: 'Delivered',
  not_sent: 'Not sent',
  unclear: 'Unclear',
};

/** What all rows of a file may have in common. */
export const reportedLabels: Readonly<Record<ReportedKind, string>> = {
  bounce: 'Bounce, hard or soft',
  hard: 'Hard bounce',
  soft: 'Soft bounce',
  block: 'Blocked',
  complaint: 'Complaint',
  unsubscribed: 'Unsubscribed',
  delivered: 'Delivered',
  auto_reply: 'Automatic answer',
  not_sent: 'Not sent',
};

export const sourceLabels: Readonly<Record<OutcomeSource, string>> = {
  api: 'API key',
  file: 'File',
  mailbox: 'Mailbox',
  sendgrid: 'SendGrid',
  mailgun: 'Mailgun',
  postmark: 'Postmark',
  ses: 'Amazon SES',
  brevo: 'Brevo',
  resend: 'Resend',
  mandrill: 'Mandrill',
  sparkpost: 'SparkPost',
};

export const countOf = (count: number, one: string, many: string): string =>
  `${formatCredits(count)} ${count === 1 ? one : many}`;

/** What became of a file. */
export function keptText({
  recorded,
  repeated,
}: {
  readonly recorded: number;
  readonly repeated: number;
}): string {
  const known = repeated > 0 ? `${formatCredits(repeated)} known already` : '';
  if (recorded === 0) return known === '' ? 'Nothing was added.' : `${known}.`;
  return `${formatCredits(recorded)} added${known === '' ? '' : `, ${known}`}.`;
}

/** What we make of a file, in a sentence or two. */
export function understoodText({
  format,
  total,
  understood,
  said_nothing,
  not_readable,
}: OutcomeFile): string {
  const [one, many] = format === 'mails' ? ['mail', 'mails'] : ['row', 'rows'];
  const rest = [
    ...(said_nothing > 0 ? [`${countOf(said_nothing, one, many)} with nothing to keep`] : []),
    ...(not_readable > 0 ? [`${formatCredits(not_readable)} that cannot be read`] : []),
  ];
  const found = `${countOf(total, one, many)}, ${countOf(understood, 'outcome', 'outcomes')}.`;
  return rest.length === 0 ? found : `${found} Left out: ${rest.join(', ')}.`;
}

/** The kinds that a file has, the most frequent first. */
export const countedKinds = (counts: OutcomeFile['counts']): string =>
  (Object.entries(counts) as [OutcomeKind, number][])
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${kindLabels[kind]} ${formatCredits(count)}`)
    .join(' · ');

/** Columns to choose from: each by the first cell that it has. */
export function columnChoices(firstRows: OutcomeFile['first_rows']): { value: string; label: string }[] {
  const width = Math.max(0, ...firstRows.map((row) => row.length));
  return Array.from({ length: width }, (_, index) => {
    const cell = firstRows.map((row) => row[index]?.trim() ?? '').find((text) => text !== '');
    return { value: String(index + 1), label: cell ? `${index + 1}: ${cell}` : `Column ${index + 1}` };
  });
}
