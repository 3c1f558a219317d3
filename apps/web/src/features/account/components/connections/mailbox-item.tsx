import { MAILBOX_TROUBLES, type OutcomeMailbox } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { lateDialog } from '../../../../shared/components/late-parts.tsx';
import { countText } from '../../../../shared/format/count-words.ts';
import { formatDateTime } from '../../../../shared/format/dates.ts';
import { useDisconnectMailbox } from '../../api/outcome-mailboxes.ts';
import parts from '../section-parts.module.css';
import { ConnectionItem } from './connection-item.tsx';

const MailboxPasswordDialog = lateDialog(
  async () => (await import('./connect-mailbox-dialog.tsx')).MailboxPasswordDialog,
);

/** One mailbox: how far it was read, what came, and why it cannot be read. */
export function MailboxItem({ mailbox }: { mailbox: OutcomeMailbox }) {
  const [isChanging, setIsChanging] = useState(false);
  const { host, user_name, folder, trouble, last_read_date } = mailbox;
  return (
    <ConnectionItem
      title={user_name}
      mark={trouble ? 'INVALID' : last_read_date ? 'VALID' : 'PENDING'}
      state={[
        trouble && MAILBOX_TROUBLES[trouble],
        last_read_date ? `Last read ${formatDateTime(last_read_date)}.` : 'Not read yet.',
        `${countText(mailbox.read_mails, 'mail')}, ${countText(mailbox.found_outcomes, 'new outcome')}.`,
      ]}
      about={
        <p className={parts.aside}>
          {host}, {folder}
        </p>
      }
      buttons={
        <Button variant={trouble === 'sign_in' ? 'filled' : 'default'} onClick={() => setIsChanging(true)}>
          Change password
        </Button>
      }
      deletion={{
        title: 'Delete mailbox',
        consequence: `We read ${user_name} no more, and forget its password. What it brought stays.`,
        call: useDisconnectMailbox(mailbox),
      }}
    >
      <MailboxPasswordDialog isOpen={isChanging} mailbox={mailbox} onClose={() => setIsChanging(false)} />
    </ConnectionItem>
  );
}
