import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './confirm-question.module.css';

interface ConfirmQuestionProps {
  isOpen: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** What cannot be undone is confirmed with a crimson button. */
  isDestructive?: boolean;
  /** While the confirmed work runs: the button turns, and the dialog stays. */
  isBusy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** What `ConfirmDialog` shows. */
export function ConfirmQuestion({
  isOpen,
  title,
  children,
  confirmLabel,
  isDestructive = false,
  isBusy = false,
  onConfirm,
  onCancel,
}: ConfirmQuestionProps) {
  const close = isBusy ? () => {} : onCancel;
  return (
    <Modal opened={isOpen} onClose={close} title={title} size="26rem" withCloseButton={false}>
      <div className={classes.text}>{children}</div>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={close} disabled={isBusy}>
          Cancel
        </Button>
        <Button
          color={isDestructive ? 'danger' : 'ink'}
          onClick={onConfirm}
          loading={isBusy}
          data-autofocus={isDestructive ? undefined : true}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
