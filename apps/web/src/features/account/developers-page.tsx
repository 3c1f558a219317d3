import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { userQuery } from '../../shared/api/user-query.ts';
import { DrawnLater } from '../../shared/components/drawn-later.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { Section } from '../../shared/components/section.tsx';
import { useServices } from '../../shared/services/services-context.tsx';
import classes from './account-page.module.css';
import { WebhookSection } from './components/connections/webhook-section.tsx';
import { MoreKeys } from './components/more-keys.tsx';
import parts from './components/section-parts.module.css';

/** What programs of the customer need besides the first key. */
export function DevelopersPage() {
  const user = useQuery(userQuery(useServices()));
  return (
    <>
      <title>Keys and webhooks · Assay</title>
      <PageHeader
        title="Keys and webhooks"
        description="For programs that verify in your name, and for servers that hear of results."
        back={{ to: '/account', label: 'Back to account' }}
      />
      <div className={classes.root}>
        <Section title="More keys">
          <MoreKeys canGuess={user.data?.feature_flags.guessing_enabled ?? false} />
        </Section>
        <DrawnLater>
          <WebhookSection />
          <Section title="Feeds">
            <div className={parts.row}>
              <p className={parts.aside}>
                Your sender posts what became of your mails: bounces, complaints and deliveries.
              </p>
              <Button component={Link} to="/account/feeds" variant="default">
                Feeds
              </Button>
            </div>
          </Section>
        </DrawnLater>
      </div>
    </>
  );
}
