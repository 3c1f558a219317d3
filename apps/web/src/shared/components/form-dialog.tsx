import { Modal, type ModalProps } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

/** Changes how many parts of the dialog keep it open. */
const HoldContext = createContext<(change: (count: number) => number) => void>(() => {});

interface FormDialogProps extends Pick<ModalProps, 'closeOnClickOutside' | 'withCloseButton'> {
  isOpen: boolean;
  title: string;
  size: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a form. It stays open while the form waits for an answer, or shows what is shown once. */
export function FormDialog({ isOpen, onClose, children, withCloseButton = false, ...look }: FormDialogProps) {
  const [holdCount, setHoldCount] = useState(0);
  const isBusy = holdCount > 0;
  return (
    <Modal
      opened={isOpen}
      onClose={isBusy ? () => {} : onClose}
      withCloseButton={withCloseButton && !isBusy}
      {...look}
    >
      <HoldContext value={setHoldCount}>{children}</HoldContext>
    </Modal>
  );
}

/** Keeps the surrounding `FormDialog` open while the form is busy. */
export function useKeepDialogOpen(isBusy: boolean): void {
  const changeCount = useContext(HoldContext);
  useEffect(() => {
    if (!isBusy) return;
    changeCount((count) => count + 1);
    return () => changeCount((count) => count - 1);
  }, [changeCount, isBusy]);
}
