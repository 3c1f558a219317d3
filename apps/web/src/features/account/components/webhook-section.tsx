import { WEBHOOKS, type Webhook } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { AsyncSlot, LineSkeleton, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { useWebhooks } from '../api/webhooks.ts';
import { peekResumed } from '../resume.ts';
import parts from './section-parts.module.css';
import { WebhookItem } from './webhook-item.tsx';
import classes from './webhook-section.module.css';

const WebhookDialog = lateDialog(async () => (await import('./webhook-dialog.tsx')).WebhookDialog);

export function WebhookSection() {
  const webhooks = useWebhooks();
  return (
    <Section title="Webhooks">
      <p className={parts.explanation}>
        We post to your addresses whenever a single or a list is finished, so that your programs need not ask.
        See{' '}
        <a href="/docs/webhooks" target="_blank" rel="noreferrer" className={classes.link}>
          how to receive events
        </a>
        .
      </p>
      <AsyncSlot
        state={asyncStateOf(webhooks)}
        name="webhooks"
        skeleton={
          <div className={parts.row}>
            <LineSkeleton width="10rem" />
            <Skeleton width="7.5rem" height="2.25rem" />
          </div>
        }
        onRetry={() => void webhooks.refetch()}
      >
        {(found) => <WebhookList webhooks={found} />}
      </AsyncSlot>
    </Section>
  );
}

function WebhookList({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [isAdding, setIsAdding] = useState(false);
  // Undefined until a person chooses: a single webhook is open then.
  const [chosenId, setChosenId] = useState<string | null | undefined>(
    () => peekResumed('webhook-secret ') ?? undefined,
  );
  const openId = chosenId === undefined && webhooks.length === 1 ? webhooks[0]?.id : chosenId;
  return (
    <>
      {webhooks.length > 0 ? (
        <ul className={classes.list} aria-label="Your webhooks">
          {webhooks.map((webhook) => (
            <WebhookItem
              key={webhook.id}
              webhook={webhook}
              isOpen={webhook.id === openId}
              onToggle={() => setChosenId(webhook.id === openId ? null : webhook.id)}
            />
          ))}
        </ul>
      ) : null}
      <div className={parts.row}>
        <p className={parts.aside}>{countText(webhooks.length)}</p>
        <Button
          variant={webhooks.length > 0 ? 'default' : 'filled'}
          disabled={webhooks.length >= WEBHOOKS.countMax}
          onClick={() => setIsAdding(true)}
        >
          Add webhook
        </Button>
      </div>
      <WebhookDialog
        isOpen={isAdding}
        webhook={null}
        onSaved={({ id }) => setChosenId(id)}
        onClose={() => setIsAdding(false)}
      />
    </>
  );
}

function countText(count: number): string {
  if (count === 0) return 'You have no webhook.';
  if (count >= WEBHOOKS.countMax) return `You have ${count} webhooks. Delete one to add another.`;
  return `${count} of ${WEBHOOKS.countMax} webhooks. Each has its own events, secret and order.`;
}
