import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import type { Panel } from '../../../shared/components/use-panel.ts';
import type { AuthorizedCredential } from '../credentials.ts';
import classes from './removal-dialogs.module.css';

interface RemoveAccountDialogProps {
  asking: Panel<AuthorizedCredential>;
  isBusy: boolean;
  onConfirm: (account: AuthorizedCredential) => void;
}

export function RemoveAccountDialog({ asking, isBusy, onConfirm }: RemoveAccountDialogProps) {
  const { subject: account } = asking;
  return (
    <ConfirmDialog
      isOpen={asking.isOpen}
      title="Remove account"
      confirmLabel="Remove"
      isDestructive
      isBusy={isBusy}
      onConfirm={() => account && onConfirm(account)}
      onCancel={asking.close}
    >
      <p>This action will revoke access for:</p>
      <p className={classes.address}>{account?.email}</p>
      <p>You can reconnect the account at any time.</p>
    </ConfirmDialog>
  );
}

interface RemoveAllDialogProps {
  isOpen: boolean;
  isBusy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

export function RemoveAllDialog({ isOpen, isBusy, onConfirm, onCancel }: RemoveAllDialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Remove all accounts"
      confirmLabel="Remove all"
      isDestructive
      isBusy={isBusy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      This action will revoke access for all connected accounts. This cannot be undone.
    </ConfirmDialog>
  );
}
