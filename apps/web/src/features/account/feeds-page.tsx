import { FEEDS, OUTCOME_MAILBOXES } from '@assay/contract';
import { useState } from 'react';
import { lateDialog } from '../../shared/components/late-parts.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { Section } from '../../shared/components/section.tsx';
import classes from './account-page.module.css';
import { useFeeds } from './api/feeds.ts';
import { useOutcomeMailboxes } from './api/outcome-mailboxes.ts';
import { Connections } from './components/connections/connections.tsx';
import { FeedItem } from './components/connections/feed-item.tsx';
import { MailboxItem } from './components/connections/mailbox-item.tsx';

const AddFeedDialog = lateDialog(
  async () => (await import('./components/connections/add-feed-dialog.tsx')).AddFeedDialog,
);

const ConnectMailboxDialog = lateDialog(
  async () => (await import('./components/connections/connect-mailbox-dialog.tsx')).ConnectMailboxDialog,
);

export function FeedsPage() {
  const feeds = useFeeds();
  const mailboxes = useOutcomeMailboxes();
  const [isAdding, setIsAdding] = useState(false);
  const [isConnecting, setIsConnecting] = useState(false);
  return (
    <>
      <title>Feeds · Assay</title>
      <PageHeader
        title="Feeds"
        description="Your sender posts bounces, complaints and deliveries here, or we read them from a mailbox, so that they stand beside your results."
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
        <Section title="Mailboxes for bounces">
          <Connections
            noun="mailbox"
            query={mailboxes}
            countMax={OUTCOME_MAILBOXES.countMax}
            own="host and password"
            onAdd={() => setIsConnecting(true)}
            item={(mailbox) => <MailboxItem key={mailbox.id} mailbox={mailbox} />}
          />
        </Section>
      </div>
      <ConnectMailboxDialog isOpen={isConnecting} onClose={() => setIsConnecting(false)} />
      <AddFeedDialog isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </>
  );
}
