import { WEBHOOK_SECRET_PREFIX, type Webhook } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../../shared/components/confirm-dialog.tsx';
import { formatDateTime } from '../../../../shared/format/dates.ts';
import { useRevealSecret, useRotateSecret } from '../../api/webhooks.ts';
import { SecretValue } from '../secret-value.tsx';
import classes from './connections.module.css';

export function WebhookSecret({ webhook }: { webhook: Webhook }) {
  const [isAsking, setIsAsking] = useState(false);
  const rotateSecret = useRotateSecret(webhook);
  const revealSecret = useRevealSecret(webhook);
  const { secret, previous_secret_until } = webhook;
  return (
    <>
      <h4 className={classes.part}>Signing secret</h4>
      <SecretValue
        prefix={WEBHOOK_SECRET_PREFIX}
        ending={secret.slice(-4)}
        name="secret"
        resume={`webhook-secret ${webhook.id}`}
        load={() => revealSecret.mutateAsync()}
        aside={
          previous_secret_until
            ? `The previous secret signs too until ${formatDateTime(previous_secret_until)}`
            : 'Your receiver tells by it that an event is from us'
        }
      >
        <Button variant="subtle" onClick={() => setIsAsking(true)}>
          Rotate secret
        </Button>
      </SecretValue>
      <ConfirmDialog
        isOpen={isAsking}
        title="Rotate secret"
        confirmLabel="Rotate secret"
        isBusy={rotateSecret.isPending}
        onConfirm={() => rotateSecret.mutate(undefined, { onSettled: () => setIsAsking(false) })}
        onCancel={() => setIsAsking(false)}
      >
        Events are signed with a new secret from now on. For a day they carry the signature of the old one
        too, so that you can change your receiver over. A secret that was rotated before stops at once.
      </ConfirmDialog>
    </>
  );
}
