import type { User } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { isSignInAgain } from '../../../shared/errors/rejected-call.ts';
import { useDeleteAccount } from '../api/delete-account.ts';
import { useResumed } from '../resume.ts';
import classes from './danger-zone.module.css';
import { SignInAgainDialog } from './sign-in-again-dialog.tsx';

export function DangerZone({ user }: { user: User }) {
  const [isAsking, setIsAsking] = useState(useResumed('delete-account'));
  const [mustSignIn, setMustSignIn] = useState(false);
  const deleteAccount = useDeleteAccount();
  const close = () => setIsAsking(false);
  const confirm = () =>
    deleteAccount.mutate(user, {
      onSettled: close,
      onError: (error) => setMustSignIn(isSignInAgain(error)),
    });
  return (
    <Section
      title="Danger zone"
      action={
        <Button
          variant="outline"
          color="danger"
          // Once it is deleted, the page is only waiting to go away.
          disabled={deleteAccount.isSuccess}
          onClick={() => setIsAsking(true)}
        >
          Delete account
        </Button>
      }
    >
      <p className={classes.explanation}>
        Your lists, results, API keys, webhooks, feeds and plan are removed, and what is left of your credits
        is lost.
      </p>
      <ConfirmDialog
        isOpen={isAsking}
        title="Attention!"
        confirmLabel="Delete account"
        isDestructive
        isBusy={deleteAccount.isPending}
        onConfirm={confirm}
        onCancel={close}
      >
        Do you want to delete your account? This action cannot be reversed
      </ConfirmDialog>
      <SignInAgainDialog isOpen={mustSignIn} resume="delete-account" onCancel={() => setMustSignIn(false)} />
    </Section>
  );
}
