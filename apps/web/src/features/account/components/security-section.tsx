import type { SecondFactor, User } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { AsyncSlot } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { useResetPassword } from '../api/reset-password.ts';
import { useEndOtherSessions, useSecurity } from '../api/security.ts';
import { providerName, socialIdentities } from '../sign-in-provider.ts';
import { usePasswordResetDone } from './password-reset-done.ts';
import classes from './security-section.module.css';
import { SessionsList, SessionsSkeleton } from './sessions-list.tsx';

export function SecuritySection({ user }: { user: User }) {
  const socials = socialIdentities(user.identities);
  const canReset = user.feature_flags.can_change_password;
  const security = useSecurity();
  return (
    <Section title="Security">
      <ul className={classes.rows}>
        {canReset ? (
          <li className={classes.row}>
            <PasswordRow />
          </li>
        ) : null}
        {user.identities.includes('email') ? (
          <li className={classes.row}>
            <TwoStepRow secondFactors={security.data?.second_factors} />
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
      <AsyncSlot
        state={asyncStateOf(security)}
        name="sessions"
        skeleton={<SessionsSkeleton />}
        onRetry={() => void security.refetch()}
      >
        {({ sessions }) => (sessions ? <SessionsList sessions={sessions} /> : null)}
      </AsyncSlot>
    </Section>
  );
}

const factorWords: Readonly<Record<SecondFactor, string>> = {
  authenticator: 'authenticator app',
  passkey: 'passkey',
};

/** The provider's own pages add and remove second factors. */
function TwoStepRow({ secondFactors }: { secondFactors: readonly SecondFactor[] | null | undefined }) {
  const { account_url: accountUrl } = useServices().config;
  return (
    <>
      <div className={classes.words}>
        <span>Two-step verification</span>
        <p className={classes.aside}>
          {accountUrl === undefined
            ? 'Your identity provider has its own pages for it.'
            : stateWords(secondFactors)}
        </p>
      </div>
      {accountUrl === undefined ? null : (
        <Button component="a" href={accountUrl} variant="default">
          {secondFactors?.length ? 'Manage' : 'Set up'}
        </Button>
      )}
    </>
  );
}

function stateWords(secondFactors: readonly SecondFactor[] | null | undefined): string {
  if (!secondFactors) return 'A code or a passkey besides your password.';
  if (secondFactors.length === 0) return 'Off. Your password alone signs you in.';
  return `On: ${secondFactors.map((factor) => factorWords[factor]).join(' and ')}.`;
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
