import { FEEDS } from '@assay/contract';
import { useState } from 'react';
import { lateDialog } from '../../shared/components/late-parts.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { Section } from '../../shared/components/section.tsx';
import classes from './account-page.module.css';
import { useFeeds } from './api/feeds.ts';
import { Connections } from './components/connections.tsx';
import { FeedItem } from './components/feed-item.tsx';

const AddFeedDialog = lateDialog(
  async () => (await import('./components/add-feed-dialog.tsx')).AddFeedDialog,
);

export function FeedsPage() {
  const feeds = useFeeds();
  const [isAdding, setIsAdding] = useState(false);
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
          <Connections
            noun="feed"
            query={feeds}
            countMax={FEEDS.countMax}
            own="address and secret"
            onAdd={() => setIsAdding(true)}
            item={(feed) => <FeedItem key={feed.id} feed={feed} />}
          />
        </Section>
      </div>
      <AddFeedDialog isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </>
  );
}
