import { WEBHOOKS } from '@assay/contract';
import { useState } from 'react';
import { lateDialog } from '../../../../shared/components/late-parts.tsx';
import { Section } from '../../../../shared/components/section.tsx';
import { useWebhooks } from '../../api/webhooks.ts';
import { peekResumed } from '../../resume.ts';
import parts from '../section-parts.module.css';
import classes from './connections.module.css';
import { Connections } from './connections.tsx';
import { WebhookItem } from './webhook-item.tsx';

const WebhookDialog = lateDialog(async () => (await import('./webhook-dialog.tsx')).WebhookDialog);

export function WebhookSection() {
  const webhooks = useWebhooks();
  const [isAdding, setIsAdding] = useState(false);
  // Undefined until a person chooses: a single webhook is open then.
  const [chosenId, setChosenId] = useState<string | null | undefined>(
    () => peekResumed('webhook-secret ') ?? undefined,
  );
  const onlyId = webhooks.data?.length === 1 ? webhooks.data[0]?.id : undefined;
  const openId = chosenId === undefined ? onlyId : chosenId;
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
      <Connections
        noun="webhook"
        query={webhooks}
        countMax={WEBHOOKS.countMax}
        own="events, secret and order"
        onAdd={() => setIsAdding(true)}
        item={(webhook) => (
          <WebhookItem
            key={webhook.id}
            webhook={webhook}
            isOpen={webhook.id === openId}
            onToggle={() => setChosenId(webhook.id === openId ? null : webhook.id)}
          />
        )}
      />
      <WebhookDialog
        isOpen={isAdding}
        webhook={null}
        onSaved={({ id }) => setChosenId(id)}
        onClose={() => setIsAdding(false)}
      />
    </Section>
  );
}
