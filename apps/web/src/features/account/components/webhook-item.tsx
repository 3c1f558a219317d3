import { WEBHOOKS, type Webhook } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { useId, useState } from 'react';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { formatNumber } from '../../../shared/format/counts.ts';
import { formatDate, formatDateTime } from '../../../shared/format/dates.ts';
import { useDeleteWebhook, useSendTest } from '../api/webhooks.ts';
import { eventTypesText } from '../webhook-events.ts';
import parts from './section-parts.module.css';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import classes from './webhook-section.module.css';

const WebhookDialog = lateDialog(async () => (await import('./webhook-dialog.tsx')).WebhookDialog);

type Asking = 'nothing' | 'change' | 'delete';

interface WebhookItemProps {
  webhook: Webhook;
  /** Whether its secret and its log are shown. */
  isOpen: boolean;
  onToggle: () => void;
}

/** One webhook: where it leads, what it gets, how it goes, and what can be done with it. */
export function WebhookItem({ webhook, isOpen, onToggle }: WebhookItemProps) {
  const [asking, setAsking] = useState<Asking>('nothing');
  const titleId = useId();
  const sendTest = useSendTest(webhook);
  const deleteWebhook = useDeleteWebhook(webhook);
  const close = () => setAsking('nothing');
  return (
    <li className={classes.item} aria-labelledby={titleId}>
      <h3 id={titleId} className={classes.address}>
        <code className={parts.value}>{webhook.url}</code>
      </h3>
      <WebhookState webhook={webhook} />
      <p className={parts.aside}>
        {`${eventTypesText(webhook)}, since ${formatDate(webhook.creation_date)}`}
      </p>
      <Group gap="xs">
        <Button variant="default" loading={sendTest.isPending} onClick={() => sendTest.mutate()}>
          Send test
        </Button>
        <Button variant="default" onClick={() => setAsking('change')}>
          Edit
        </Button>
        <Button variant="default" aria-expanded={isOpen} onClick={onToggle}>
          Secret and deliveries
        </Button>
        <Button variant="subtle" color="danger" onClick={() => setAsking('delete')}>
          Delete
        </Button>
      </Group>
      {isOpen ? (
        <>
          <WebhookSecret webhook={webhook} />
          <WebhookDeliveries webhook={webhook} />
        </>
      ) : null}
      <WebhookDialog isOpen={asking === 'change'} webhook={webhook} onClose={close} />
      <ConfirmDialog
        isOpen={asking === 'delete'}
        title="Delete webhook"
        confirmLabel="Delete"
        isDestructive
        isBusy={deleteWebhook.isPending}
        onConfirm={() => deleteWebhook.mutate(undefined, { onSettled: close })}
        onCancel={close}
      >
        Events that still wait are not sent, and the delivery log is removed.
      </ConfirmDialog>
    </li>
  );
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  const { last_error, waiting_events, last_delivery_date } = webhook;
  const mark = last_error ? 'INVALID' : waiting_events > 0 || !last_delivery_date ? 'PENDING' : 'VALID';
  const delivered = last_delivery_date
    ? `Last delivery ${formatDateTime(last_delivery_date)}.`
    : 'No delivery noted yet.';
  return (
    <p className={classes.state}>
      <span aria-hidden="true">
        <VerdictMark verdict={mark} size={18} />
      </span>
      <span>
        {[last_error && `Failing: ${last_error}`, waitingText(waiting_events), delivered]
          .filter(Boolean)
          .join(' ')}
      </span>
    </p>
  );
}

function waitingText(count: number): string | null {
  if (count === 0) return null;
  if (count === 1) return '1 event waits.';
  return `${formatNumber(count, { decimalsMax: 0 })}${count === WEBHOOKS.waitingCountMax ? ' or more' : ''} events wait.`;
}
