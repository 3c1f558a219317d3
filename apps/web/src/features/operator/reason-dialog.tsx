import { REASON_LENGTH_MAX } from '@assay/contract/operator';
import { Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FormButtons } from '../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../shared/components/form-dialog.tsx';
import classes from './operator.module.css';

interface Order {
  readonly mutate: (reason: string) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface ReasonDialogProps {
  title: string;
  /** What happens, in a sentence. */
  children?: ReactNode;
  confirmLabel: string;
  /** Of the field for the reason. */
  label?: string;
  description?: string;
  order: Order;
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
  order,
  isIncomplete = false,
  onClose,
}: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const trimmed = reason.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (trimmed !== '' && !isIncomplete && !order.isPending) order.mutate(trimmed);
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
