import type { OutcomeMailbox } from '@assay/contract';
import { PasswordInput, TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { FormButtons } from '../../../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../../../shared/components/form-errors.tsx';
import { clearOnEdit } from '../../../../shared/errors/clear-on-edit.ts';
import { formErrorText } from '../../../../shared/errors/form-error-text.ts';
import { useChangePassword, useConnectMailbox } from '../../api/outcome-mailboxes.ts';
import classes from './connections.module.css';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function ConnectMailboxDialog({ isOpen, onClose }: DialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Add mailbox"
      size="28rem"
      closeOnClickOutside={false}
    >
      <ConnectForm onClose={onClose} />
    </FormDialog>
  );
}

const nothing = { host: '', user_name: '', password: '', folder: 'INBOX' };

function ConnectForm({ onClose }: Pick<DialogProps, 'onClose'>) {
  const connect = useConnectMailbox();
  const { register, handleSubmit, formState } = useForm({ mode: 'onTouched', defaultValues: nothing });
  const { errors } = formState;
  return (
    <form
      className={classes.form}
      noValidate
      onChange={clearOnEdit(connect)}
      onSubmit={handleSubmit((fields) => connect.mutate(fields, { onSuccess: onClose }))}
    >
      <p className={classes.text}>
        The mailbox to which your bounces come back. We read it every few minutes by IMAP and change nothing
        in it. Other mails are not kept.
      </p>
      <TextInput
        label="Host"
        description="It answers on port 993."
        placeholder="imap.example.com"
        autoComplete="off"
        data-autofocus
        error={errors.host?.message}
        {...register('host', { required: 'Host required' })}
      />
      <TextInput
        label="User name"
        autoComplete="off"
        error={errors.user_name?.message}
        {...register('user_name', { required: 'User name required' })}
      />
      <PasswordInput
        label="Password"
        description="Many providers want a password for apps."
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password', { required: 'Password required' })}
      />
      <TextInput
        label="Folder"
        autoComplete="off"
        error={errors.folder?.message}
        {...register('folder', { required: 'Folder required' })}
      />
      <FormErrors text={formErrorText(connect.error)} />
      <FormButtons submitLabel="Add mailbox" isBusy={connect.isPending} onCancel={onClose} />
    </form>
  );
}

export function MailboxPasswordDialog({
  isOpen,
  mailbox,
  onClose,
}: DialogProps & { mailbox: OutcomeMailbox }) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Change password" size="28rem">
      <PasswordForm mailbox={mailbox} onClose={onClose} />
    </FormDialog>
  );
}

function PasswordForm({ mailbox, onClose }: { mailbox: OutcomeMailbox; onClose: () => void }) {
  const change = useChangePassword(mailbox);
  const { register, handleSubmit, formState } = useForm({ defaultValues: { password: '' } });
  return (
    <form
      className={classes.form}
      noValidate
      onChange={clearOnEdit(change)}
      onSubmit={handleSubmit(({ password }) => change.mutate(password, { onSuccess: onClose }))}
    >
      <PasswordInput
        label={`Password of ${mailbox.user_name}`}
        autoComplete="new-password"
        data-autofocus
        error={formState.errors.password?.message}
        {...register('password', { required: 'Password required' })}
      />
      <FormErrors text={formErrorText(change.error)} />
      <FormButtons submitLabel="Change password" isBusy={change.isPending} onCancel={onClose} />
    </form>
  );
}
