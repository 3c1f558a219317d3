import { Modal, type ModalProps } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

const BusyContext = createContext<(isBusy: boolean) => void>(() => {});

interface FormDialogProps extends Pick<ModalProps, 'closeOnClickOutside' | 'withCloseButton'> {
  isOpen: boolean;
  title: string;
  size: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a form. It stays open while the form waits for an answer, because only the form shows the result. */
export function FormDialog({ isOpen, onClose, children, withCloseButton = false, ...look }: FormDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Modal opened={isOpen} onClose={isBusy ? () => {} : onClose} withCloseButton={withCloseButton} {...look}>
      <BusyContext value={setIsBusy}>{children}</BusyContext>
    </Modal>
  );
}

/** Keeps the surrounding `FormDialog` open while the form is busy. */
export function useKeepDialogOpen(isBusy: boolean): void {
  const hold = useContext(BusyContext);
  useEffect(() => {
    hold(isBusy);
    return () => hold(false);
  }, [hold, isBusy]);
}
