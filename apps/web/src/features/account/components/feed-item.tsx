import { FEED_REFUSALS, FEED_SENDERS, type Feed } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { useId, useState } from 'react';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { copyToClipboard } from '../../../shared/components/copy-to-clipboard.ts';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { formatNumber } from '../../../shared/format/counts.ts';
import { formatDate, formatDateTime } from '../../../shared/format/dates.ts';
import { useDeleteFeed } from '../api/feeds.ts';
import { feedSteps } from '../feed-steps.ts';
import feedClasses from './feed-item.module.css';
import parts from './section-parts.module.css';
import classes from './webhook-section.module.css';

const FeedKeyDialog = lateDialog(async () => (await import('./feed-key-dialog.tsx')).FeedKeyDialog);
const FeedTopicDialog = lateDialog(async () => (await import('./feed-key-dialog.tsx')).FeedTopicDialog);
const RotateFeedDialog = lateDialog(async () => (await import('./rotate-feed-dialog.tsx')).RotateFeedDialog);

type Asking = 'nothing' | 'key' | 'topic' | 'rotate' | 'delete';

/** One feed: what to paste where, what came, and what was refused and why. */
export function FeedItem({ feed }: { feed: Feed }) {
  const [asking, setAsking] = useState<Asking>('nothing');
  // Until events come, a person needs to see what to do.
  const [isOpen, setIsOpen] = useState(feed.last_event_date === null);
  const titleId = useId();
  const deleteFeed = useDeleteFeed(feed);
  const close = () => setAsking('nothing');
  const { keyName } = feedSteps[feed.sender];
  const copyUrl = () =>
    void copyToClipboard(Promise.resolve(feed.url), 'Select the address and copy it yourself.');
  return (
    <li className={classes.item} aria-labelledby={titleId}>
      <h3 id={titleId} className={feedClasses.name}>
        {FEED_SENDERS[feed.sender]}
      </h3>
      <FeedState feed={feed} />
      <code className={parts.value}>{feed.url}</code>
      <p className={parts.aside}>{secretText(feed)}</p>
      <Refusals feed={feed} />
      <Group gap="xs">
        <Button variant="default" onClick={copyUrl}>
          Copy address
        </Button>
        {keyName === null ? (
          <Button variant="default" onClick={() => setAsking('rotate')}>
            Replace secret
          </Button>
        ) : (
          <Button variant={feed.secret === null ? 'filled' : 'default'} onClick={() => setAsking('key')}>
            {feed.secret === null ? 'Add key' : 'Replace key'}
          </Button>
        )}
        {feed.sender === 'ses' ? (
          <Button variant="default" onClick={() => setAsking('topic')}>
            Change topic
          </Button>
        ) : null}
        <Button variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          How to set up
        </Button>
        <Button variant="subtle" color="danger" onClick={() => setAsking('delete')}>
          Delete
        </Button>
      </Group>
      {isOpen ? (
        <ol className={feedClasses.steps}>
          {feedSteps[feed.sender].steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      ) : null}
      <FeedKeyDialog isOpen={asking === 'key'} feed={feed} onClose={close} />
      <FeedTopicDialog isOpen={asking === 'topic'} feed={feed} onClose={close} />
      <RotateFeedDialog isOpen={asking === 'rotate'} feed={feed} onClose={close} />
      <ConfirmDialog
        isOpen={asking === 'delete'}
        title="Delete feed"
        confirmLabel="Delete"
        isDestructive
        isBusy={deleteFeed.isPending}
        onConfirm={() => deleteFeed.mutate(undefined, { onSettled: close })}
        onCancel={close}
      >
        Events of {FEED_SENDERS[feed.sender]} are refused from now on. What they brought stays.
      </ConfirmDialog>
    </li>
  );
}

function FeedState({ feed }: { feed: Feed }) {
  const { secret, last_event_date, taken_events, sender, confirmation_date } = feed;
  const [refusal] = feed.refusals;
  const isFailing = refusal !== undefined && (!last_event_date || refusal.last_date > last_event_date);
  const mark = isFailing ? 'INVALID' : last_event_date ? 'VALID' : 'PENDING';
  const topic =
    sender !== 'ses'
      ? null
      : confirmation_date
        ? `Subscription confirmed ${formatDate(confirmation_date)}.`
        : 'The subscription of the topic is not confirmed yet.';
  const came = last_event_date
    ? `Last event ${formatDateTime(last_event_date)}, ${formatNumber(taken_events, { decimalsMax: 0 })} in all.`
    : 'No event came yet.';
  return (
    <p className={classes.state}>
      <span aria-hidden="true">
        <VerdictMark verdict={mark} size={18} />
      </span>
      <span>
        {[secret === null && 'The key is missing: events are refused.', topic, came]
          .filter(Boolean)
          .join(' ')}
      </span>
    </p>
  );
}

function secretText({ secret, previous_secret_until, creation_date, topic_arn, sender }: Feed): string {
  const name = feedSteps[sender].keyName ?? 'Secret';
  return [
    topic_arn,
    secret === null ? `${name} missing` : `${name} ${secret}`,
    previous_secret_until && `the one before is good until ${formatDateTime(previous_secret_until)}`,
    `since ${formatDate(creation_date)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function Refusals({ feed }: { feed: Feed }) {
  const titleId = useId();
  if (feed.refusals.length === 0) return null;
  return (
    <div>
      <h4 id={titleId} className={classes.part}>
        Refused
      </h4>
      <ul className={feedClasses.steps} aria-labelledby={titleId}>
        {feed.refusals.map(({ reason, count, last_date }) => (
          <li key={reason}>
            {FEED_REFUSALS[reason]}{' '}
            <span className={parts.aside}>
              {`${formatNumber(count, { decimalsMax: 0 })} ${count === 1 ? 'time' : 'times'}, last ${formatDateTime(last_date)}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
