import { Estimate } from '../../../shared/bulk-import/estimate.tsx';
import { useEstimateList } from '../api/estimate-list.ts';
import { emailEstimateWords } from './estimate-words.ts';

export const EmailEstimate = ({ uploadId }: { uploadId: string }) => (
  <Estimate uploadId={uploadId} estimate={useEstimateList()} wordsOf={emailEstimateWords} />
);
