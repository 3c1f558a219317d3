import type { Verdict } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { ConfirmDialog } from '../../../../shared/components/confirm-dialog.tsx';
import { VerdictMark } from '../../../../shared/components/verdict-mark.tsx';
import classes from './connections.module.css';

interface ConnectionItemProps {
  title: ReactNode;
  /** How it goes: the mark, and sentences. */
  mark: Verdict | 'PENDING';
  state: readonly (string | false | null)[];
  /** Between the state and the buttons. */
  about: ReactNode;
  buttons: ReactNode;
  details?: { label: string; isOpen: boolean; onToggle: () => void; content: ReactNode };
  deletion: {
    title: string;
    consequence: string;
    call: { isPending: boolean; mutate: (input: undefined, options: { onSettled: () => void }) => void };
  };
  /** Its dialogs. */
  children: ReactNode;
}

/** A connection with another service, such as a webhook or a feed. */
export function ConnectionItem({
  title,
  mark,
  state,
  about,
  buttons,
  details,
  deletion,
  children,
}: ConnectionItemProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const titleId = useId();
  const close = () => setIsDeleting(false);
  return (
    <li className={classes.item} aria-labelledby={titleId}>
      <h3 id={titleId} className={classes.title}>
        {title}
      </h3>
      <p className={classes.state}>
        <span aria-hidden="true">
          <VerdictMark verdict={mark} size={18} />
        </span>
        <span>{state.filter(Boolean).join(' ')}</span>
      </p>
      {about}
      <Group gap="xs">
        {buttons}
        {details ? (
          <Button variant="default" aria-expanded={details.isOpen} onClick={details.onToggle}>
            {details.label}
          </Button>
        ) : null}
        <Button variant="subtle" color="danger" onClick={() => setIsDeleting(true)}>
          Delete
        </Button>
      </Group>
      {details?.isOpen ? details.content : null}
      {children}
      <ConfirmDialog
        isOpen={isDeleting}
        title={deletion.title}
        confirmLabel="Delete"
        isDestructive
        isBusy={deletion.call.isPending}
        onConfirm={() => deletion.call.mutate(undefined, { onSettled: close })}
        onCancel={close}
      >
        {deletion.consequence}
      </ConfirmDialog>
    </li>
  );
}
