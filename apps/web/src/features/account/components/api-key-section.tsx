import { API_KEY_PREFIX, type ApiKey } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { AsyncSlot, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import { useApiKey, useCreateApiKey, useDeleteApiKey } from '../api/api-keys.ts';
import { AccountSection } from './account-section.tsx';
import classes from './api-key-section.module.css';
import { copyToClipboard } from './copy-to-clipboard.ts';
import { useShortReveal } from './use-short-reveal.ts';

export function ApiKeySection() {
  const apiKey = useApiKey();
  return (
    <AccountSection title="API key">
      <p className={classes.explanation}>
        Your programs send it as <code>x-api-key</code> to verify addresses in your name. Keep it secret:
        whoever has it can spend your credits.
      </p>
      <AsyncSlot
        state={asyncStateOf(apiKey)}
        name="API key"
        skeleton={<Skeleton height="5rem" />}
        onRetry={() => void apiKey.refetch()}
      >
        {(key) => (key ? <KeyRow apiKey={key} /> : <NoKeyRow />)}
      </AsyncSlot>
    </AccountSection>
  );
}

function NoKeyRow() {
  const createKey = useCreateApiKey();
  return (
    <div className={classes.row}>
      <p className={classes.none}>You have no API key.</p>
      <Button loading={createKey.isPending} onClick={() => createKey.mutate()}>
        Create API key
      </Button>
    </div>
  );
}

const hiddenKey = `${API_KEY_PREFIX}${'•'.repeat(16)}`;

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { isRevealed, reveal, hide } = useShortReveal();
  const [isAsking, setIsAsking] = useState(false);
  const deleteKey = useDeleteApiKey();
  const { api_token, creation_date, last_used_date } = apiKey;
  const lastUsed = last_used_date ? `last used ${formatDate(last_used_date)}` : 'never used';
  return (
    <>
      <code className={classes.key} aria-live="polite">
        {isRevealed ? api_token : hiddenKey}
      </code>
      <div className={classes.row}>
        <p className={classes.none}>{`Created ${formatDate(creation_date)}, ${lastUsed}`}</p>
        <Group gap="xs">
          <Button variant="default" onClick={isRevealed ? hide : reveal}>
            {isRevealed ? 'Hide' : 'Reveal'}
          </Button>
          <Button variant="default" onClick={() => void copyToClipboard(api_token, 'key')}>
            Copy
          </Button>
          <Button variant="subtle" color="danger" onClick={() => setIsAsking(true)}>
            Delete
          </Button>
        </Group>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title="Delete API key"
        confirmLabel="Delete"
        isDestructive
        isBusy={deleteKey.isPending}
        onConfirm={() => deleteKey.mutate(apiKey, { onSettled: () => setIsAsking(false) })}
        onCancel={() => setIsAsking(false)}
      >
        Programs that use this key stop working at once. You can create another one afterwards.
      </ConfirmDialog>
    </>
  );
}
