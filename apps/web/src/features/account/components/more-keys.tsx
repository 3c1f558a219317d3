import { SCOPED_KEYS, type ScopedKey } from '@assay/contract';
import { Badge, Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING, type Paging, pageCountOf } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate, formatDateTime } from '../../../shared/format/dates.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { useRevokeScopedKey, useScopedKeys } from '../api/scoped-keys.ts';
import { useResumed, useResumedWith } from '../resume.ts';
import classes from './more-keys.module.css';
import { scopeLabels } from './scope-choice.tsx';
import parts from './section-parts.module.css';
import { SignInAgainDialog } from './sign-in-again-dialog.tsx';

const ScopedKeyDialog = lateDialog(async () => (await import('./scoped-key-dialog.tsx')).ScopedKeyDialog);

const RollKeyDialog = lateDialog(async () => (await import('./roll-key-dialog.tsx')).RollKeyDialog);

const KeyCallsDialog = lateDialog(async () => (await import('./key-calls-dialog.tsx')).KeyCallsDialog);

const KeyUsageDialog = lateDialog(async () => (await import('./key-usage-dialog.tsx')).KeyUsageDialog);

/** What a dialog is open for. The key stays while the dialog closes. */
interface OpenDialog {
  readonly kind: 'create' | 'edit' | 'roll' | 'revoke' | 'usage' | 'calls' | null;
  readonly key: ScopedKey | null;
  /** The question whether to sign in takes the place of the dialog. */
  readonly mustSignIn?: boolean;
}

/** The keys beside the first: each with its own name, scopes and limits. */
export function MoreKeys({ canGuess }: { canGuess: boolean }) {
  const { drafts } = useServices();
  const keys = useScopedKeys();
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const isForQuickStart = useQuickStart();
  const isCreateResumed = useResumed('create-key');
  const [dialog, setDialog] = useState<OpenDialog>({
    kind: isCreateResumed || isForQuickStart ? 'create' : null,
    key: null,
  });
  const rolledId = useResumedWith('roll-key ');
  const isResumed = useRef(false);
  const show = (kind: NonNullable<OpenDialog['kind']>, key: ScopedKey | null) => setDialog({ kind, key });
  const askToSignIn = () => {
    drafts.keepAll();
    setDialog(({ kind, key }) => ({ kind, key, mustSignIn: true }));
  };
  const isShown = (kind: OpenDialog['kind']) => dialog.kind === kind && !dialog.mustSignIn;
  const close = () => setDialog(({ key }) => ({ kind: null, key }));
  const resumedKey = keys.data?.find(({ id }) => id === rolledId);
  useEffect(() => {
    if (resumedKey && !isResumed.current) setDialog({ kind: 'roll', key: resumedKey });
    isResumed.current ||= resumedKey !== undefined;
  }, [resumedKey]);
  const count = keys.data?.length ?? 0;
  const isFull = count >= SCOPED_KEYS.countMax;
  const hasKeys = count > 0;
  // Revoking the only key of the last page leaves that page empty.
  const page = Math.min(paging.page, pageCountOf(count, paging.pageSize));
  const create = (
    <Button variant={hasKeys ? 'default' : 'filled'} disabled={isFull} onClick={() => show('create', null)}>
      Create key
    </Button>
  );
  return (
    <>
      <div className={classes.head}>
        <p className={parts.aside}>
          {isFull
            ? `You have ${SCOPED_KEYS.countMax} keys. Revoke one to create another.`
            : 'One key per program: limit what it may do and spend, and replace it without touching the others.'}
        </p>
        {hasKeys ? create : null}
      </div>
      <DataGrid
        name="keys"
        expectedRows={3}
        columns={[
          { header: 'Key', cell: (key) => <KeyName apiKey={key} />, cellHeight: '2.75rem' },
          { header: 'Scopes', cell: scopesText, isText: true },
          { header: 'Credits this month', cell: creditsText, align: 'end', compact: 'labelled' },
          {
            header: 'Last used',
            cell: ({ last_used_date: date }) => (date ? formatDate(date) : 'Never'),
            compact: 'labelled',
          },
          { header: 'Expires', cell: expiryText, compact: 'labelled' },
        ]}
        rows={asyncStateOf({ ...keys, data: keys.data && pageOf(keys.data, { ...paging, page }) })}
        rowKey={({ id }) => id}
        paging={{ ...paging, page }}
        onPagingChange={setPaging}
        onRetry={() => void keys.refetch()}
        rowMenu={{
          rowName: ({ name }) => name,
          actions: (key) => [
            { label: 'Usage', icon: 'details', onSelect: () => show('usage', key) },
            { label: 'Calls', icon: 'api', onSelect: () => show('calls', key) },
            { label: 'Edit', icon: 'rename', onSelect: () => show('edit', key) },
            { label: 'Roll', icon: 'retry', onSelect: () => show('roll', key) },
            { label: 'Revoke', icon: 'remove', isDestructive: true, onSelect: () => show('revoke', key) },
          ],
        }}
        empty={
          <EmptyState
            icon="api"
            title="You have no further keys."
            description="Create one for each program, or a test key that costs nothing."
            action={create}
          />
        }
      />
      <ScopedKeyDialog
        isOpen={isShown('create') || isShown('edit')}
        apiKey={dialog.key}
        canGuess={canGuess}
        isForQuickStart={isForQuickStart}
        onSignInNeeded={askToSignIn}
        onClose={close}
      />
      <SignInAgainDialog
        isOpen={dialog.mustSignIn === true}
        resume={dialog.key ? `roll-key ${dialog.key.id}` : 'create-key'}
        onCancel={() => setDialog(({ kind, key }) => ({ kind, key }))}
      />
      {dialog.key ? (
        <>
          <RollKeyDialog
            isOpen={isShown('roll')}
            apiKey={dialog.key}
            onSignInNeeded={askToSignIn}
            onClose={close}
          />
          <KeyCallsDialog isOpen={dialog.kind === 'calls'} apiKey={dialog.key} onClose={close} />
          <KeyUsageDialog isOpen={dialog.kind === 'usage'} apiKey={dialog.key} onClose={close} />
          <RevokeKeyDialog isOpen={dialog.kind === 'revoke'} apiKey={dialog.key} onClose={close} />
        </>
      ) : null}
    </>
  );
}

/** Whether the guide's quick start led here: then the dialog opens for a test key. A reload does not open it again. */
function useQuickStart(): boolean {
  const [query, setQuery] = useSearchParams();
  const [isAsked] = useState(query.get('new-key') === 'test');
  useEffect(() => {
    if (isAsked) setQuery({}, { replace: true });
  }, [isAsked, setQuery]);
  return isAsked;
}

const pageOf = (keys: readonly ScopedKey[], { page, pageSize }: Paging) => ({
  results: keys.slice((page - 1) * pageSize, page * pageSize),
  total: keys.length,
});

function KeyName({ apiKey }: { apiKey: ScopedKey }) {
  const { name, mode, masked_token, previous_token_until: previousUntil } = apiKey;
  return (
    <span className={classes.key}>
      <span className={classes.name}>
        {name}
        {mode === 'test' ? (
          <Badge variant="light" color="gray" size="sm" title="Checks .test addresses for free">
            Test
          </Badge>
        ) : null}
      </span>
      <span className={classes.small}>
        {masked_token}
        {previousUntil ? `, old secret until ${formatDateTime(previousUntil)}` : ''}
      </span>
    </span>
  );
}

const scopesText = ({ scopes }: ScopedKey): string =>
  scopes.length === 0 ? 'Read the balance' : scopes.map((scope) => scopeLabels[scope]).join(', ');

function creditsText({ mode, month_credits, monthly_credit_limit: limit }: ScopedKey): string {
  if (mode === 'test') return 'Free';
  const credits = formatCredits(month_credits);
  return limit === null ? credits : `${credits} of ${formatCredits(limit)}`;
}

function expiryText({ expiration_date: date }: ScopedKey): string {
  if (date === null) return 'Never';
  return new Date(date) <= new Date() ? 'Expired' : formatDate(date);
}

interface RevokeKeyDialogProps {
  isOpen: boolean;
  apiKey: ScopedKey;
  onClose: () => void;
}

function RevokeKeyDialog({ isOpen, apiKey, onClose }: RevokeKeyDialogProps) {
  const revoke = useRevokeScopedKey();
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Revoke key"
      confirmLabel="Revoke"
      isDestructive
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate(apiKey, { onSettled: onClose })}
      onCancel={onClose}
    >
      Programs that use {apiKey.name} stop working at once. Lists that they started go on. This cannot be
      undone.
    </ConfirmDialog>
  );
}
