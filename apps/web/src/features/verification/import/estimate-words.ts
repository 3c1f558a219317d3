import type { ListEstimate } from '@assay/contract';
import { estimateWords } from '../../../shared/bulk-import/estimate-words.ts';

export const emailEstimateWords = (estimate: ListEstimate): string[] =>
  estimateWords(estimate, {
    one: 'email',
    many: 'emails',
    withoutHost: 'will be invalid: the domain takes no mail.',
    notes: [
      [estimate.typo, 'with a domain that looks mistyped'],
      [estimate.disposable, 'disposable'],
      [estimate.role, 'for a role such as info@'],
    ],
  });
