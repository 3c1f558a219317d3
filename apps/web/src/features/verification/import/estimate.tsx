import { Button } from '@mantine/core';
import { useEstimateList } from '../api/estimate-list.ts';
import classes from './before-paying.module.css';
import { estimateWords } from './estimate-words.ts';

/** What a sample of the file lets expect, on request. */
export function Estimate({ uploadId }: { uploadId: string }) {
  const estimate = useEstimateList();
  return (
    <div className={classes.estimate} aria-live="polite">
      {estimate.data ? (
        <ul>
          {estimateWords(estimate.data).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : (
        <Button
          size="compact-md"
          variant="default"
          loading={estimate.isPending}
          onClick={() => estimate.mutate(uploadId)}
        >
          Estimate the results for free
        </Button>
      )}
    </div>
  );
}
