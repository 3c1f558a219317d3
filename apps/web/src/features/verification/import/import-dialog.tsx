import type { UploadProgress } from '@assay/client';
import { Button, Group, Modal } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Skeleton } from '../../../shared/components/async-slot.tsx';
import classes from './import-dialog.module.css';
import { UploadBar } from './upload-bar.tsx';

// Its library is a third of the page's code, and not every visit imports a file.
const CsvDropArea = lazy(async () => ({ default: (await import('./csv-drop-area.tsx')).CsvDropArea }));

interface ImportDialogProps {
  isOpen: boolean;
  file: File | undefined;
  /** While the file is on its way and being read. */
  upload: UploadProgress | undefined;
  onFile: (file: File) => void;
  onVerify: () => void;
  /** Also stops an upload. */
  onCancel: () => void;
}

export function ImportDialog({ isOpen, file, upload, onFile, onVerify, onCancel }: ImportDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onCancel}
      title="Import email list"
      size="30rem"
      withCloseButton={false}
      // A click beside the dialog is too little to throw an upload away.
      closeOnClickOutside={upload === undefined}
    >
      <p className={classes.text}>
        Import a CSV with the emails you want to validate. We'll try to automatically detect the fields and
        add a column with the result.
      </p>
      {file && upload ? (
        <UploadBar fileName={file.name} upload={upload} />
      ) : (
        <Suspense fallback={<Skeleton height="11.5rem" />}>
          <CsvDropArea file={file} onFile={onFile} />
        </Suspense>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={onVerify} disabled={file === undefined} loading={upload !== undefined}>
          Verify
        </Button>
      </Group>
    </Modal>
  );
}
