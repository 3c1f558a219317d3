import { WEBHOOK_SECRET_PREFIX, type Webhook } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { formatDateTime } from '../../../shared/format/dates.ts';
import { useRotateSecret } from '../api/webhooks.ts';
import { copyToClipboard } from './copy-to-clipboard.ts';
import { useShortReveal } from './use-short-reveal.ts';
import classes from './webhook-section.module.css';

const hiddenSecret = `${WEBHOOK_SECRET_PREFIX}${'•'.repeat(16)}`;

export function WebhookSecret({ webhook }: { webhook: Webhook }) {
  const { isRevealed, reveal, hide } = useShortReveal();
  const [isAsking, setIsAsking] = useState(false);
  const rotateSecret = useRotateSecret(webhook);
  const { secret, previous_secret_until } = webhook;
  return (
    <>
      <h3 className={classes.part}>Signing secret</h3>
      <code className={classes.value} aria-live="polite">
        {isRevealed ? secret : hiddenSecret}
      </code>
      <div className={classes.row}>
        <p className={classes.aside}>
          {previous_secret_until
            ? `The previous secret signs too until ${formatDateTime(previous_secret_until)}`
            : 'Your receiver tells by it that an event is from us'}
        </p>
        <Group gap="xs">
          <Button variant="default" onClick={isRevealed ? hide : reveal}>
            {isRevealed ? 'Hide' : 'Reveal'}
          </Button>
          <Button variant="default" onClick={() => void copyToClipboard(secret, 'secret')}>
            Copy
          </Button>
          <Button variant="subtle" onClick={() => setIsAsking(true)}>
            Rotate secret
          </Button>
        </Group>
      </div>
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
