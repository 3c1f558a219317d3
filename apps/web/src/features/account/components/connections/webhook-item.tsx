import { WEBHOOKS, type Webhook } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { lateDialog } from '../../../../shared/components/late-parts.tsx';
import { formatNumber } from '../../../../shared/format/counts.ts';
import { formatDate, formatDateTime } from '../../../../shared/format/dates.ts';
import { useDeleteWebhook, useSendTest } from '../../api/webhooks.ts';
import { eventTypesText } from '../../webhook-events.ts';
import parts from '../section-parts.module.css';
import { ConnectionItem } from './connection-item.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

const WebhookDialog = lateDialog(async () => (await import('./webhook-dialog.tsx')).WebhookDialog);

interface WebhookItemProps {
  webhook: Webhook;
  /** Whether its secret and its log are shown. */
  isOpen: boolean;
  onToggle: () => void;
}

/** One webhook: where it leads, what it gets, how it goes, and what can be done with it. */
export function WebhookItem({ webhook, isOpen, onToggle }: WebhookItemProps) {
  const [isChanging, setIsChanging] = useState(false);
  const sendTest = useSendTest(webhook);
  const { last_error, waiting_events, last_delivery_date } = webhook;
  const test = () => {
    // Its answer is in the log.
    if (!isOpen) onToggle();
    sendTest.mutate();
  };
  return (
    <ConnectionItem
      title={<code className={parts.value}>{webhook.url}</code>}
      mark={last_error ? 'INVALID' : waiting_events > 0 || !last_delivery_date ? 'PENDING' : 'VALID'}
      state={[
        last_error && `Failing: ${last_error}`,
        waitingText(waiting_events),
        last_delivery_date
          ? `Last delivery ${formatDateTime(last_delivery_date)}.`
          : 'No delivery noted yet.',
      ]}
      about={
        <p className={parts.aside}>
          {`${eventTypesText(webhook)}, since ${formatDate(webhook.creation_date)}`}
        </p>
      }
      buttons={
        <>
          <Button variant="default" loading={sendTest.isPending} onClick={test}>
            Send test
          </Button>
          <Button variant="default" onClick={() => setIsChanging(true)}>
            Edit
          </Button>
        </>
      }
      details={{
        label: 'Secret and deliveries',
        isOpen,
        onToggle,
        content: (
          <>
            <WebhookSecret webhook={webhook} />
            <WebhookDeliveries webhook={webhook} />
          </>
        ),
      }}
      deletion={{
        title: 'Delete webhook',
        consequence: 'Events that still wait are not sent, and the delivery log is removed.',
        call: useDeleteWebhook(webhook),
      }}
    >
      <WebhookDialog isOpen={isChanging} webhook={webhook} onClose={() => setIsChanging(false)} />
    </ConnectionItem>
  );
}

function waitingText(count: number): string | null {
  if (count === 0) return null;
  if (count === 1) return '1 event waits.';
  return `${formatNumber(count, { decimalsMax: 0 })}${count === WEBHOOKS.waitingCountMax ? ' or more' : ''} events wait.`;
}
