import { REASON_LENGTH_MAX } from '@assay/contract/operator';
import { Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FormButtons } from '../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../shared/components/form-dialog.tsx';
import classes from './operator.module.css';
import { type OperatorApi, useOrder } from './operator-api.ts';

interface ReasonDialogProps {
  title: string;
  /** What happens, in a sentence. */
  children?: ReactNode;
  confirmLabel: string;
  /** Of the field for the reason. */
  label?: string;
  description?: string;
  send: (api: OperatorApi, reason: string) => Promise<unknown>;
  /** The message after it was sent. */
  done: string;
  /** Fields above the reason are not filled in yet. */
  isIncomplete?: boolean;
  onClose: () => void;
}

/** Asks why before anything is done: the log keeps every reason. */
export function ReasonDialog({
  title,
  children,
  confirmLabel,
  label = 'Reason',
  description = 'Kept in the log for ever: no names or addresses.',
  send,
  done,
  isIncomplete = false,
  onClose,
}: ReasonDialogProps) {
  const order = useOrder(send, done);
  const [reason, setReason] = useState('');
  const trimmed = reason.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (trimmed !== '' && !isIncomplete && !order.isPending) order.mutate(trimmed, { onSuccess: onClose });
  };
  return (
    <FormDialog isOpen onClose={onClose} title={title} size="28rem">
      <form onSubmit={submit} noValidate className={classes.form}>
        {children}
        <Textarea
          label={label}
          description={description}
          value={reason}
          maxLength={REASON_LENGTH_MAX}
          rows={3}
          required
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div role="alert">
          {order.error ? <p className={classes.problem}>{order.error.message}</p> : null}
        </div>
        <FormButtons
          submitLabel={confirmLabel}
          isBusy={order.isPending}
          isIncomplete={trimmed === '' || isIncomplete}
          onCancel={onClose}
        />
      </form>
    </FormDialog>
  );
}
