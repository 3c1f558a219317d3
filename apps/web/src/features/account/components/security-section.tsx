import type { User } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import { useEndOtherSessions } from '../api/end-other-sessions.ts';
import { useResetPassword } from '../api/reset-password.ts';
import { providerName, socialIdentities } from '../sign-in-provider.ts';
import { usePasswordResetDone } from './password-reset-done.ts';
import classes from './security-section.module.css';

export function SecuritySection({ user }: { user: User }) {
  const socials = socialIdentities(user.identities);
  const canReset = user.feature_flags.can_change_password;
  return (
    <Section title="Security">
      <ul className={classes.rows}>
        {canReset ? (
          <li className={classes.row}>
            <PasswordRow />
          </li>
        ) : null}
        {socials.map((identity) => (
          <li key={identity} className={classes.row}>
            <span>{`Signed in with ${providerName(identity)}`}</span>
            <span className={classes.aside}>{`Since ${formatDate(user.creation_date)}`}</span>
          </li>
        ))}
        <li className={classes.row}>
          <SessionsRow />
        </li>
      </ul>
    </Section>
  );
}

function SessionsRow() {
  const [isAsking, setIsAsking] = useState(false);
  const endOtherSessions = useEndOtherSessions();
  const close = () => setIsAsking(false);
  return (
    <>
      <span>Other devices and browsers</span>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Sign out everywhere"
        confirmLabel="Sign out everywhere"
        isBusy={endOtherSessions.isPending}
        onConfirm={() => endOtherSessions.mutate(undefined, { onSettled: close })}
        onCancel={close}
      >
        Every other session of yours ends at once. Here you may be asked to sign in again. Your API key keeps
        working.
      </ConfirmDialog>
    </>
  );
}

function PasswordRow() {
  const { isDone, markDone } = usePasswordResetDone();
  const resetPassword = useResetPassword({ onReset: markDone });
  if (isDone) return <span role="status">You will be asked for a new password on next login.</span>;
  return (
    <>
      <span>Password</span>
      <Button variant="default" loading={resetPassword.isPending} onClick={() => resetPassword.mutate()}>
        Reset Password
      </Button>
    </>
  );
}
