import type { FeedSender } from '@assay/contract';
import { feedSteps } from '../../feed-steps.ts';
import classes from './feed-item.module.css';

/** What to do at the sender. */
export function SenderSteps({ sender }: { sender: FeedSender }) {
  return (
    <ol className={classes.steps}>
      {feedSteps[sender].steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
