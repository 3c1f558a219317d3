import { Button, FileButton } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.layer.css';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import classes from './csv-drop-area.module.css';
import { CSV_ACCEPT, isCsvFile } from './csv-file.ts';
import { formatFileSize } from './file-size.ts';

interface CsvDropAreaProps {
  file: File | undefined;
  onFile: (file: File) => void;
}

/** Takes one CSV file, dropped or chosen. */
export function CsvDropArea({ file, onFile }: CsvDropAreaProps) {
  const [wasOtherDropped, setWasOtherDropped] = useState(false);
  const browse = useRef<HTMLButtonElement>(null);
  // The dialog puts the focus on Cancel when this part is still being loaded.
  useEffect(() => browse.current?.focus(), []);
  const choose = (chosen: File | null) => {
    // The file dialog can be talked into showing other files; choosing one changes nothing.
    if (!chosen || !isCsvFile(chosen)) return;
    setWasOtherDropped(false);
    onFile(chosen);
  };
  const drop = (dropped: readonly File[]) => {
    const [only] = dropped;
    const isOneCsv = dropped.length === 1 && only !== undefined && isCsvFile(only);
    setWasOtherDropped(!isOneCsv);
    if (isOneCsv) onFile(only);
  };
  return (
    <>
      <Dropzone
        onDropAny={drop}
        // Everything is let through to `drop`, which decides with the same rule as the file dialog.
        onDrop={() => {}}
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        className={classes.area}
        tabIndex={-1}
        inputProps={{ 'aria-hidden': true }}
      >
        <div className={classes.inner}>
          <Icon name="upload" size={28} />
          <p className={classes.words} aria-live="polite">
            {file ? (
              <>
                <strong>{file.name}</strong> {formatFileSize(file.size)}
              </>
            ) : (
              'Drop a CSV file here, or'
            )}
          </p>
          <FileButton accept={CSV_ACCEPT} onChange={choose} inputProps={{ 'aria-label': 'CSV file' }}>
            {(props) => (
              <Button {...props} ref={browse} data-autofocus variant="default" size="sm">
                {file ? 'Browse for another file' : 'Browse'}
              </Button>
            )}
          </FileButton>
        </div>
      </Dropzone>
      <div role="alert">
        {wasOtherDropped ? (
          <p className={classes.alert}>
            <Icon name="warning" size={18} />
            <span>Please drop a valid CSV file</span>
          </p>
        ) : null}
      </div>
    </>
  );
}
