import type { GuessEstimate } from '@assay/contract';
import { formatCredits } from '../format/counts.ts';

interface EstimateSubject {
  readonly one: string;
  readonly many: string;
  /** What becomes of those without a mail host: 'will be invalid: …'. */
  readonly withoutHost: string;
  /** What else was noticed, and how often. */
  readonly notes?: readonly (readonly [count: number, what: string])[];
}

/** What an estimate says and what it cannot know, a sentence for each. */
export function estimateWords(estimate: GuessEstimate, subject: EstimateSubject): string[] {
  const { sampled, total, no_mail_host, mail_host, not_looked_up } = estimate;
  const counted = (count: number): string =>
    `${formatCredits(count)} ${count === 1 ? subject.one : subject.many}`;
  const scope =
    sampled < total ? `We looked at a sample of ${counted(sampled)}` : `We looked at ${counted(sampled)}`;
  const noted = (subject.notes ?? [])
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatCredits(count)} ${what}`);
  const others = mail_host < sampled ? `For the other ${counted(mail_host)}, only` : 'Only';
  return [
    `${scope} without asking mail hosts.`,
    no_mail_host === 0
      ? 'All domains that we could look up take mail.'
      : `${counted(no_mail_host)} ${subject.withoutHost}`,
    ...(noted.length > 0 ? [`Among them: ${noted.join(', ')}.`] : []),
    ...(not_looked_up > 0 ? [`${counted(not_looked_up)} could not be looked up in time.`] : []),
    ...(mail_host > 0 ? [`${others} the mail hosts know which mailboxes exist.`] : []),
  ];
}
