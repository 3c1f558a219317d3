import type { SuppressionReason, SuppressionSource } from '@assay/contract';
import { formatCredits } from '../../shared/format/counts.ts';

export const reasonLabels: Readonly<Record<SuppressionReason, string>> = {
  hard_bounce: 'Hard bounce',
  complaint: 'Complaint',
  unsubscribed: 'Unsubscribed',
  dead_domain: 'Dead domain',
  added: 'Added',
};

export const sourceLabels: Readonly<Record<SuppressionSource, string>> = {
  outcome: 'Outcome of a mail',
  customer: 'You',
  api: 'API key',
  import: 'File',
};

/** What a call did, for people. */
export function countsText({
  added,
  changed,
  unchanged,
}: {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}): string {
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [unchanged, 'already there'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatCredits(count)} ${what}`);
  return said.length === 0 ? 'Nothing was added.' : `${said.join(', ')}.`;
}

/** One on a line, or with commas, semicolons or spaces between them. */
export const splitTargets = (text: string): string[] =>
  text.split(/[\s,;]+/).filter((target) => target !== '');
