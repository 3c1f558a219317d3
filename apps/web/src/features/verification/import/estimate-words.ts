import type { ListEstimate } from '@assay/contract';
import { estimateWords } from '../../../shared/bulk-import/estimate-words.ts';
import { formatCredits } from '../../../shared/format/counts.ts';

export const emailEstimateWords = (estimate: ListEstimate): string[] => [
  ...estimateWords(estimate, {
    one: 'email',
    many: 'emails',
    withoutHost: 'will be invalid: the domain takes no mail.',
    notes: [
      [estimate.typo, 'with a domain that looks mistyped'],
      [estimate.disposable, 'disposable'],
      [estimate.role, 'for a role such as info@'],
    ],
  }),
  ...questionWords(estimate.questions),
];

/** What the list will ask mail hosts: providers block those who ask about many unknown mailboxes. */
function questionWords(questions: ListEstimate['questions']): string[] {
  if (questions.length === 0) return [];
  const counts = questions.map(
    ({ provider, questions: count }) => `${formatCredits(count)} to ${provider ?? 'other mail hosts'}`,
  );
  const total = questions.reduce((sum, { questions: count }) => sum + count, 0);
  const asked = `The whole list takes about ${formatCredits(total)} questions: ${new Intl.ListFormat('en').format(counts)}.`;
  const refused = questions.reduce<number | null>(
    (sum, { refusals }) => (sum === null || refusals === null ? null : sum + refusals),
    0,
  );
  const known =
    refused === null
      ? []
      : [`Going by your last 30 days, about ${formatCredits(refused)} mailboxes will not exist.`];
  return [asked, ...known];
}
