import { ActionIcon, Badge, Button } from '@mantine/core';
import { LineSkeleton } from '../../../shared/components/async-slot.tsx';
import type { AsyncState } from '../../../shared/components/async-state.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { Section } from '../../../shared/components/section.tsx';
import type { AuthorizedCredential } from '../credentials.ts';
import classes from './authorized-accounts.module.css';
import { ProviderIcon, providerNames } from './provider-icon.tsx';

const EMPTY_TEXT =
  'No email accounts are currently authorized. Connect a Gmail or Microsoft account to get started.';

interface AuthorizedAccountsProps {
  accounts: AsyncState<readonly AuthorizedCredential[]>;
  onRemove: (account: AuthorizedCredential) => void;
  onRemoveAll: () => void;
  onRetry: () => void;
}

export function AuthorizedAccounts({ accounts, onRemove, onRemoveAll, onRetry }: AuthorizedAccountsProps) {
  const shown = accounts.data;
  return (
    <Section
      title="Authorized accounts"
      action={
        shown && shown.length > 0 ? (
          <Button variant="outline" color="danger" onClick={onRemoveAll}>
            Remove all credentials
          </Button>
        ) : null
      }
    >
      {accounts.status === 'failed' ? (
        <EmptyState
          icon="warning"
          title="The accounts could not be loaded."
          action={
            <Button variant="default" leftSection={<Icon name="retry" size={16} />} onClick={onRetry}>
              Retry
            </Button>
          }
        />
      ) : null}
      {accounts.status !== 'failed' && !shown ? (
        <div data-status="loading" aria-busy="true" className={classes.row}>
          <span className={classes.words}>
            <LineSkeleton width="12rem" />
            <span className={classes.provider}>
              <LineSkeleton width="4rem" />
            </span>
          </span>
        </div>
      ) : null}
      {shown?.length === 0 ? <EmptyState title={EMPTY_TEXT} icon="verification" /> : null}
      {shown && shown.length > 0 ? (
        <ul className={classes.list}>
          {shown.map((account) => (
            <AccountRow
              key={`${account.provider} ${account.email}`}
              account={account}
              onRemove={() => onRemove(account)}
            />
          ))}
        </ul>
      ) : null}
    </Section>
  );
}

function AccountRow({ account, onRemove }: { account: AuthorizedCredential; onRemove: () => void }) {
  const { email, provider, isEnded } = account;
  return (
    <li className={classes.row}>
      <ProviderIcon provider={provider} />
      <span className={classes.words}>
        <span className={classes.address}>{email}</span>
        <span className={classes.provider}>{providerNames[provider]}</span>
        {isEnded ? (
          <Badge color="danger" variant="light" className={classes.ended}>
            Access ended, connect again
          </Badge>
        ) : null}
      </span>
      <ActionIcon variant="subtle" color="danger" size="lg" aria-label={`Remove ${email}`} onClick={onRemove}>
        <Icon name="remove" />
      </ActionIcon>
    </li>
  );
}
