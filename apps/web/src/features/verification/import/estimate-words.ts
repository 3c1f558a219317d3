import type { ListEstimate } from '@assay/contract';
import { formatCredits } from '../../../shared/format/counts.ts';

const emails = (count: number): string => `${formatCredits(count)} ${count === 1 ? 'email' : 'emails'}`;

/** What an estimate says and what it cannot know, a sentence for each. */
export function estimateWords(estimate: ListEstimate): string[] {
  const { sampled, total, no_mail_host, mail_host, not_looked_up } = estimate;
  const scope =
    sampled < total ? `We looked at a sample of ${emails(sampled)}` : `We looked at ${emails(sampled)}`;
  const invalid =
    no_mail_host === 0
      ? 'All domains that we could look up take mail.'
      : `${emails(no_mail_host)} will be invalid: the domain takes no mail.`;
  const notes = [
    [estimate.typo, 'with a domain that looks mistyped'],
    [estimate.disposable, 'disposable'],
    [estimate.role, 'for a role such as info@'],
  ] as const;
  const noted = notes
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatCredits(count)} ${what}`);
  return [
    `${scope} without asking mail hosts.`,
    invalid,
    ...(noted.length > 0 ? [`Among them: ${noted.join(', ')}.`] : []),
    ...(not_looked_up > 0 ? [`${emails(not_looked_up)} could not be looked up in time.`] : []),
    ...(mail_host > 0
      ? [`For the other ${emails(mail_host)}, only the mail hosts know which mailboxes exist.`]
      : []),
  ];
}
