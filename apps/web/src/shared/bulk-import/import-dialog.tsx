import type { UploadProgress } from '@assay/client';
import { Button, Group, Modal } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Skeleton } from '../components/async-slot.tsx';
import type { BulkWords } from './bulk-words.ts';
import classes from './import-dialog.module.css';
import { UploadBar } from './upload-bar.tsx';

// Its library is a third of the page's code, and not every visit imports a file.
const CsvDropArea = lazy(async () => ({ default: (await import('./csv-drop-area.tsx')).CsvDropArea }));

interface ImportDialogProps {
  isOpen: boolean;
  words: Pick<BulkWords<never>, 'importTitle' | 'importText' | 'acceptLabel'>;
  file: File | undefined;
  /** While the file is uploaded and read. */
  upload: UploadProgress | undefined;
  onFile: (file: File) => void;
  onAccept: () => void;
  /** Also stops an upload. */
  onCancel: () => void;
}

export function ImportDialog(props: ImportDialogProps) {
  const { isOpen, words, file, upload, onFile, onAccept, onCancel } = props;
  return (
    <Modal
      opened={isOpen}
      onClose={onCancel}
      title={words.importTitle}
      size="30rem"
      withCloseButton={false}
      // A click beside the dialog is too little to throw an upload away.
      closeOnClickOutside={upload === undefined}
    >
      <p className={classes.text}>{words.importText}</p>
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
        <Button onClick={onAccept} disabled={file === undefined} loading={upload !== undefined}>
          {words.acceptLabel}
        </Button>
      </Group>
    </Modal>
  );
}
