import { Button } from '@mantine/core';
import classes from './estimate.module.css';

interface EstimateProps<Result> {
  uploadId: string;
  /** The call that asks for it. */
  estimate: {
    readonly data: Result | undefined;
    readonly isPending: boolean;
    mutate(uploadId: string): void;
  };
  wordsOf: (result: Result) => readonly string[];
}

/** What a sample of the file lets expect, on request. */
export function Estimate<Result>({ uploadId, estimate, wordsOf }: EstimateProps<Result>) {
  return (
    <div className={classes.root} aria-live="polite">
      {estimate.data ? (
        <ul>
          {wordsOf(estimate.data).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : (
        <Button variant="default" loading={estimate.isPending} onClick={() => estimate.mutate(uploadId)}>
          Estimate the results for free
        </Button>
      )}
    </div>
  );
}
