import { FEEDS, type Feed } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { AsyncSlot, LineSkeleton, Skeleton } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { lateDialog } from '../../shared/components/late-parts.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { Section } from '../../shared/components/section.tsx';
import classes from './account-page.module.css';
import { useFeeds } from './api/feeds.ts';
import { FeedItem } from './components/feed-item.tsx';
import parts from './components/section-parts.module.css';
import items from './components/webhook-section.module.css';

const AddFeedDialog = lateDialog(
  async () => (await import('./components/add-feed-dialog.tsx')).AddFeedDialog,
);

export function FeedsPage() {
  const feeds = useFeeds();
  return (
    <>
      <title>Feeds · Assay</title>
      <PageHeader
        title="Feeds"
        description="Your sender posts bounces, complaints and deliveries here, so that they stand beside your results."
        back={{ to: '/account/developers', label: 'Back to keys and webhooks' }}
      />
      <div className={classes.root}>
        <Section title="Your feeds">
          <AsyncSlot
            state={asyncStateOf(feeds)}
            name="feeds"
            skeleton={
              <div className={parts.row}>
                <LineSkeleton width="10rem" />
                <Skeleton width="7.5rem" height="2.25rem" />
              </div>
            }
            onRetry={() => void feeds.refetch()}
          >
            {(found) => <FeedList feeds={found} />}
          </AsyncSlot>
        </Section>
      </div>
    </>
  );
}

function FeedList({ feeds }: { feeds: readonly Feed[] }) {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      {feeds.length > 0 ? (
        <ul className={items.list} aria-label="Your feeds">
          {feeds.map((feed) => (
            <FeedItem key={feed.id} feed={feed} />
          ))}
        </ul>
      ) : null}
      <div className={parts.row}>
        <p className={parts.aside}>{countText(feeds.length)}</p>
        <Button
          variant={feeds.length > 0 ? 'default' : 'filled'}
          disabled={feeds.length >= FEEDS.countMax}
          onClick={() => setIsAdding(true)}
        >
          Add feed
        </Button>
      </div>
      <AddFeedDialog isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </>
  );
}

function countText(count: number): string {
  if (count === 0) return 'You have no feed.';
  if (count >= FEEDS.countMax) return `You have ${count} feeds. Delete one to add another.`;
  return `${count} of ${FEEDS.countMax} feeds. Each has its own address and secret.`;
}
