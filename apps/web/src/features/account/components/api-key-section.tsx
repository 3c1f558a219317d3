import { API_KEY_PREFIX, type ApiKey } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { AsyncSlot } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import { useApiKey, useCreateApiKey, useDeleteApiKey, useRevealApiKey } from '../api/api-keys.ts';
import classes from './api-key-section.module.css';
import { SecretSkeleton, SecretValue } from './secret-value.tsx';
import parts from './section-parts.module.css';

export function ApiKeySection() {
  const apiKey = useApiKey();
  const createKey = useCreateApiKey();
  return (
    <Section title="API key">
      <p className={parts.explanation}>
        Your programs send it as <code>x-api-key</code> to verify addresses in your name. Keep it secret:
        whoever has it can spend your credits.
      </p>
      <AsyncSlot
        state={asyncStateOf(apiKey)}
        name="API key"
        skeleton={<SecretSkeleton />}
        onRetry={() => void apiKey.refetch()}
      >
        {(key) =>
          key ? <KeyRow apiKey={key} created={createKey.data} /> : <NoKeyRow createKey={createKey} />
        }
      </AsyncSlot>
      <p className={classes.more}>
        <Link to="/account/developers">Further keys and webhooks</Link>: one key per program, with its own
        limits, and events sent to your server.
      </p>
    </Section>
  );
}

function NoKeyRow({ createKey }: { createKey: ReturnType<typeof useCreateApiKey> }) {
  return (
    <div className={parts.row}>
      <p className={parts.aside}>You have no API key.</p>
      <Button loading={createKey.isPending} onClick={() => createKey.mutate()}>
        Create API key
      </Button>
    </div>
  );
}

/** A key that was created on this page is known in full; any other is asked for. */
function KeyRow({ apiKey, created }: { apiKey: ApiKey; created: ApiKey | undefined }) {
  const [isAsking, setIsAsking] = useState(false);
  const deleteKey = useDeleteApiKey();
  const revealKey = useRevealApiKey();
  const { api_token, creation_date, last_used_date } = apiKey;
  const lastUsed = last_used_date ? `last used ${formatDate(last_used_date)}` : 'never used';
  return (
    <>
      <SecretValue
        prefix={API_KEY_PREFIX}
        ending={api_token.slice(-4)}
        name="key"
        resume="api-key"
        load={async () => (created?.id === apiKey.id ? created.api_token : revealKey.mutateAsync(apiKey))}
        aside={`Created ${formatDate(creation_date)}, ${lastUsed}`}
      >
        <Button variant="subtle" color="danger" onClick={() => setIsAsking(true)}>
          Delete
        </Button>
      </SecretValue>
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
