import type { User } from '@assay/contract';
import { Checkbox, Stack } from '@mantine/core';
import { Section } from '../../../shared/components/section.tsx';
import { type MailKind, useSetMails } from '../api/set-mails.ts';
import parts from './section-parts.module.css';

/** Nothing where no mail is sent. */
export function NotificationsSection({ user }: { user: User }) {
  if (user.list_mails === undefined) return null;
  return (
    <Section title="Notifications">
      <Stack gap="sm">
        <MailChoice user={user} kind="list_mails" label="Email me when a list is complete or has failed" />
        <MailChoice
          user={user}
          kind="balance_mails"
          label="Email me when my balance is low or automatic top-up has stopped"
        />
        <MailChoice
          user={user}
          kind="plan_mails"
          label="Email me when my plan has changed or a payment did not go through"
        />
        <p className={parts.aside}>
          Mails about your password, keys, webhooks and sign-ins from new places always come.
        </p>
      </Stack>
    </Section>
  );
}

function MailChoice({ user, kind, label }: { user: User; kind: MailKind; label: string }) {
  const setMails = useSetMails(kind);
  return (
    <Checkbox
      label={label}
      checked={setMails.isPending ? setMails.variables : (user[kind] ?? false)}
      disabled={setMails.isPending}
      onChange={({ currentTarget: { checked } }) => setMails.mutate(checked)}
    />
  );
}
