import type { UploadProgress } from '@assay/client';
import { Button, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { BulkWords } from './bulk-words.ts';
import { CsvDropArea } from './csv-drop-area.tsx';
import { DialogActions } from './dialog-actions.tsx';
import classes from './import-dialog.module.css';
import { pastedFile } from './list-file.ts';
import { UploadBar } from './upload-bar.tsx';

/** Larger texts are files. */
const PASTED_LENGTH_MAX = 5_000_000;

interface ImportDialogProps {
  isOpen: boolean;
  words: Pick<BulkWords<never>, 'importTitle' | 'importText' | 'acceptLabel' | 'pasteLabel'>;
  files: readonly File[];
  wasOtherDropped: boolean;
  /** While files are uploaded and read. */
  sending: { readonly file: File; readonly upload: UploadProgress } | undefined;
  onBrowse: (files: readonly File[]) => void;
  onDrop: (files: readonly File[]) => void;
  onAccept: (files: readonly File[]) => void;
  /** Also stops an upload. */
  onCancel: () => void;
}

export function ImportDialog(props: ImportDialogProps) {
  const { isOpen, words, sending, onCancel } = props;
  return (
    <Modal
      opened={isOpen}
      onClose={onCancel}
      title={words.importTitle}
      size="30rem"
      withCloseButton={false}
      // A click beside the dialog is too little to throw an upload away.
      closeOnClickOutside={sending === undefined}
    >
      <p className={classes.text}>{words.importText}</p>
      <Choice {...props} />
    </Modal>
  );
}

/** Forgets pasted text when the dialog closes. */
function Choice({
  words,
  files,
  wasOtherDropped,
  sending,
  onBrowse,
  onDrop,
  onAccept,
  onCancel,
}: ImportDialogProps) {
  const [pasted, setPasted] = useState('');
  const chosen = pasted.trim() === '' ? files : [...files, pastedFile(pasted)];
  return (
    <>
      {sending ? (
        <UploadBar fileName={sending.file.name} upload={sending.upload} />
      ) : (
        <>
          <CsvDropArea files={files} wasOtherDropped={wasOtherDropped} onBrowse={onBrowse} onDrop={onDrop} />
          {words.pasteLabel === undefined ? null : (
            <Textarea
              mt="sm"
              label={words.pasteLabel}
              placeholder="jane@example.com, max@example.com"
              rows={3}
              maxLength={PASTED_LENGTH_MAX}
              spellCheck={false}
              value={pasted}
              onChange={(event) => setPasted(event.currentTarget.value)}
            />
          )}
        </>
      )}
      <DialogActions>
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          onClick={() => onAccept(chosen)}
          disabled={chosen.length === 0}
          loading={sending !== undefined}
        >
          {words.acceptLabel}
        </Button>
      </DialogActions>
    </>
  );
}
