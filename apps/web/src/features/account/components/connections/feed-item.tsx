import { FEED_REFUSALS, FEED_SENDERS, type Feed } from '@assay/contract';
import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { copyToClipboard } from '../../../../shared/components/copy-to-clipboard.ts';
import { lateDialog } from '../../../../shared/components/late-parts.tsx';
import { formatNumber } from '../../../../shared/format/counts.ts';
import { formatDate, formatDateTime } from '../../../../shared/format/dates.ts';
import { useDeleteFeed } from '../../api/feeds.ts';
import { feedSteps } from '../../feed-steps.ts';
import parts from '../section-parts.module.css';
import { ConnectionItem } from './connection-item.tsx';
import connections from './connections.module.css';
import classes from './feed-item.module.css';
import { SenderSteps } from './sender-steps.tsx';

const FeedKeyDialog = lateDialog(async () => (await import('./feed-key-dialog.tsx')).FeedKeyDialog);
const FeedTopicDialog = lateDialog(async () => (await import('./feed-key-dialog.tsx')).FeedTopicDialog);
const RotateFeedDialog = lateDialog(async () => (await import('./rotate-feed-dialog.tsx')).RotateFeedDialog);

type Asking = 'nothing' | 'key' | 'topic' | 'rotate';

/** One feed: what to paste where, what came, and what was refused and why. */
export function FeedItem({ feed }: { feed: Feed }) {
  const [asking, setAsking] = useState<Asking>('nothing');
  // Until events come, a person needs to see what to do.
  const [isOpen, setIsOpen] = useState(feed.last_event_date === null);
  const close = () => setAsking('nothing');
  const { keyName } = feedSteps[feed.sender];
  const copyUrl = () =>
    void copyToClipboard(Promise.resolve(feed.url), 'Select the address and copy it yourself.');
  return (
    <ConnectionItem
      title={FEED_SENDERS[feed.sender]}
      mark={markOf(feed)}
      state={stateOf(feed)}
      about={
        <>
          <code className={parts.value}>{feed.url}</code>
          <p className={parts.aside}>{secretText(feed)}</p>
          <Refusals feed={feed} />
        </>
      }
      buttons={
        <>
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
        </>
      }
      details={{
        label: 'How to set up',
        isOpen,
        onToggle: () => setIsOpen(!isOpen),
        content: <SenderSteps sender={feed.sender} />,
      }}
      deletion={{
        title: 'Delete feed',
        consequence: `Events of ${FEED_SENDERS[feed.sender]} are refused from now on. What they brought stays.`,
        call: useDeleteFeed(feed),
      }}
    >
      <FeedKeyDialog isOpen={asking === 'key'} feed={feed} onClose={close} />
      <FeedTopicDialog isOpen={asking === 'topic'} feed={feed} onClose={close} />
      <RotateFeedDialog isOpen={asking === 'rotate'} feed={feed} onClose={close} />
    </ConnectionItem>
  );
}

function markOf({ refusals: [refusal], last_event_date }: Feed): 'INVALID' | 'VALID' | 'PENDING' {
  if (refusal && (!last_event_date || refusal.last_date > last_event_date)) return 'INVALID';
  return last_event_date ? 'VALID' : 'PENDING';
}

const stateOf = (feed: Feed): (string | false)[] => [
  feed.secret === null && 'The key is missing: events are refused.',
  feed.sender === 'ses' &&
    (feed.confirmation_date
      ? `Subscription confirmed ${formatDate(feed.confirmation_date)}.`
      : 'The subscription of the topic is not confirmed yet.'),
  feed.last_event_date
    ? `Last event ${formatDateTime(feed.last_event_date)}, ${formatNumber(feed.taken_events, { decimalsMax: 0 })} in all.`
    : 'No event came yet.',
];

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
      <h4 id={titleId} className={connections.part}>
        Refused
      </h4>
      <ul className={classes.steps} aria-labelledby={titleId}>
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
