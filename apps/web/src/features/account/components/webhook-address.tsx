import type { Webhook } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import { useDeleteWebhook, useSendTest } from '../api/webhooks.ts';
import parts from './section-parts.module.css';

const WebhookAddressDialog = lateDialog(
  async () => (await import('./webhook-address-dialog.tsx')).WebhookAddressDialog,
);

type Asking = 'nothing' | 'change' | 'delete';

export function WebhookAddress({ webhook }: { webhook: Webhook }) {
  const [asking, setAsking] = useState<Asking>('nothing');
  const sendTest = useSendTest(webhook);
  const deleteWebhook = useDeleteWebhook(webhook);
  const close = () => setAsking('nothing');
  return (
    <>
      <code className={parts.value}>{webhook.url}</code>
      <div className={parts.row}>
        <p className={parts.aside}>{`Created ${formatDate(webhook.creation_date)}`}</p>
        <Group gap="xs">
          <Button variant="default" loading={sendTest.isPending} onClick={() => sendTest.mutate()}>
            Send test
          </Button>
          <Button variant="default" onClick={() => setAsking('change')}>
            Change address
          </Button>
          <Button variant="subtle" color="danger" onClick={() => setAsking('delete')}>
            Delete
          </Button>
        </Group>
      </div>
      <WebhookAddressDialog isOpen={asking === 'change'} webhook={webhook} onClose={close} />
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
    </>
  );
}
