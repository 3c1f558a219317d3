import { Button } from '@mantine/core';
import { useState, useTransition } from 'react';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
import { Icon } from '../../shared/components/icon.tsx';

export function SignOutButton({ onSignOut }: { onSignOut: () => void | Promise<void> }) {
  const [isAsking, setIsAsking] = useState(false);
  const [isSigningOut, startSigningOut] = useTransition();
  return (
    <>
      <Button
        variant="subtle"
        size="sm"
        justify="flex-start"
        fullWidth
        leftSection={<Icon name="signOut" size={18} />}
        onClick={() => setIsAsking(true)}
      >
        Sign out
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Sign out"
        confirmLabel="Yes, sign out"
        isBusy={isSigningOut}
        onConfirm={() => startSigningOut(async () => onSignOut())}
        onCancel={() => setIsAsking(false)}
      >
        You're about to close your session. Are you sure?
      </ConfirmDialog>
    </>
  );
}
