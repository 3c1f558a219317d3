import type { GuessEstimate } from '@assay/contract';
import { Estimate } from '../../../shared/bulk-import/estimate.tsx';
import { estimateWords } from '../../../shared/bulk-import/estimate-words.ts';
import { useEstimateList } from '../api/estimate-list.ts';

export const PeopleEstimate = ({ uploadId }: { uploadId: string }) => (
  <Estimate uploadId={uploadId} estimate={useEstimateList()} wordsOf={wordsOf} />
);

const wordsOf = (estimate: GuessEstimate): string[] =>
  estimateWords(estimate, {
    one: 'person',
    many: 'people',
    withoutHost: 'cannot be found: the domain of the company takes no mail.',
  });
