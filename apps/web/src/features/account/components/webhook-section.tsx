import type { Webhook } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { AsyncSlot, LineSkeleton, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { useWebhook } from '../api/webhooks.ts';
import parts from './section-parts.module.css';
import { WebhookAddress } from './webhook-address.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import classes from './webhook-section.module.css';

const WebhookAddressDialog = lateDialog(
  async () => (await import('./webhook-address-dialog.tsx')).WebhookAddressDialog,
);

export function WebhookSection() {
  const webhook = useWebhook();
  return (
    <Section title="Webhook">
      <p className={parts.explanation}>
        We post to your address whenever a single or a list is finished, so that your programs need not ask.
        See{' '}
        <a href="/docs/webhooks" target="_blank" rel="noreferrer" className={classes.link}>
          how to receive events
        </a>
        .
      </p>
      <AsyncSlot
        state={asyncStateOf(webhook)}
        name="webhook"
        skeleton={
          <div className={parts.row}>
            <LineSkeleton width="10rem" />
            <Skeleton width="7.5rem" height="2.25rem" />
          </div>
        }
        onRetry={() => void webhook.refetch()}
      >
        {(found) => (found ? <ExistingWebhook webhook={found} /> : <NoWebhookRow />)}
      </AsyncSlot>
    </Section>
  );
}

function NoWebhookRow() {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <div className={parts.row}>
      <p className={parts.aside}>You have no webhook.</p>
      <Button onClick={() => setIsAdding(true)}>Add webhook</Button>
      <WebhookAddressDialog isOpen={isAdding} webhook={null} onClose={() => setIsAdding(false)} />
    </div>
  );
}

function ExistingWebhook({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <WebhookAddress webhook={webhook} />
      <WebhookSecret webhook={webhook} />
      <WebhookDeliveries webhook={webhook} />
    </>
  );
}
