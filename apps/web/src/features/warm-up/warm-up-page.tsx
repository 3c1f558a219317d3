import type { MailboxProvider } from '@assay/contract';
import { useState } from 'react';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { usePanel } from '../../shared/components/use-panel.ts';
import { useRealtimeEvent } from '../../shared/realtime/use-realtime-event.ts';
import { useCredentials } from './api/get-credentials.ts';
import { useRemoveAllCredentials, useRemoveCredential } from './api/remove-credentials.ts';
import { useStartAuthorization } from './api/start-authorization.ts';
import { AuthorizedAccounts } from './components/authorized-accounts.tsx';
import { ConnectPanel } from './components/connect-panel.tsx';
import { ConsentNotice } from './components/consent-notice.tsx';
import { FailureAlert } from './components/failure-alert.tsx';
import { RemoveAccountDialog, RemoveAllDialog } from './components/removal-dialogs.tsx';
import type { AuthorizedCredential } from './credentials.ts';
import { lastFailureOf } from './warm-up-failure.ts';
import classes from './warm-up-page.module.css';

export function WarmUpPage() {
  const accounts = useCredentials();
  useRealtimeEvent('refresh_mailboxes', () => void accounts.refetch());
  const start = useStartAuthorization();
  const removeOne = useRemoveCredential();
  const removeAll = useRemoveAllCredentials();
  const asking = usePanel<AuthorizedCredential>();
  const [isAskingAll, setIsAskingAll] = useState(false);

  // Whatever is begun next makes the last error and the last notice a thing of the past.
  const begin = () => {
    for (const call of [start, removeOne, removeAll]) call.reset();
  };
  const removed = removeAll.isSuccess
    ? removeAll.variables
    : removeOne.isSuccess
      ? [removeOne.variables]
      : [];

  return (
    <>
      <title>Email Warm Up · Assay</title>
      <PageHeader
        title="Email Warm Up"
        description="Build a mailbox’s reputation before you send mail from it."
      />
      <div className={classes.root}>
        <FailureAlert
          failure={lastFailureOf([start, removeOne, removeAll, accounts].map(({ error }) => error))}
        />
        <ConsentNotice consentUrl={removed.find(({ consentUrl }) => consentUrl)?.consentUrl ?? null} />
        <ConnectPanel
          leavingFor={start.isPending ? start.variables : null}
          onConnect={(provider: MailboxProvider) => {
            begin();
            start.mutate(provider);
          }}
        />
        <AuthorizedAccounts
          // A list that could not be loaded is cleared: what it said before may no longer be so.
          accounts={asyncStateOf({ ...accounts, data: accounts.isError ? undefined : accounts.data })}
          onRemove={asking.open}
          onRemoveAll={() => setIsAskingAll(true)}
          onRetry={() => void accounts.refetch()}
        />
      </div>
      <RemoveAccountDialog
        asking={asking}
        isBusy={removeOne.isPending}
        onConfirm={(account) => {
          begin();
          removeOne.mutate(account, { onSettled: asking.close });
        }}
      />
      <RemoveAllDialog
        isOpen={isAskingAll}
        isBusy={removeAll.isPending}
        onConfirm={() => {
          begin();
          removeAll.mutate(accounts.data ?? [], { onSettled: () => setIsAskingAll(false) });
        }}
        onCancel={() => setIsAskingAll(false)}
      />
    </>
  );
}
