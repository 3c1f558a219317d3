import { Button } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.layer.css';
import { ChooseFiles } from '../components/choose-files.tsx';
import { Icon } from '../components/icon.tsx';
import classes from './csv-drop-area.module.css';
import { formatFileSize } from './file-size.ts';
import { FILES_MAX, fileKey, isListFile, LIST_FILE_ACCEPT, LIST_FILE_ENDINGS } from './list-file.ts';

interface CsvDropAreaProps {
  files: readonly File[];
  /** Whether the last drop held something else. */
  wasOtherDropped: boolean;
  onBrowse: (files: readonly File[]) => void;
  onDrop: (files: readonly File[]) => void;
}

/** Takes files, dropped or chosen. */
export function CsvDropArea({ files, wasOtherDropped, onBrowse, onDrop }: CsvDropAreaProps) {
  return (
    <>
      <Dropzone
        onDropAny={onDrop}
        // Everything is let through to `onDrop`, which decides with the same rule as the file dialog.
        onDrop={() => {}}
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        className={classes.area}
        tabIndex={-1}
        inputProps={{ 'aria-hidden': true }}
        data-drop-area
      >
        <div className={classes.inner}>
          <Icon name="upload" size={28} />
          <div className={classes.words} aria-live="polite">
            {files.length > 0
              ? files.map((file) => (
                  <p key={fileKey(file)}>
                    <strong>{file.name}</strong> {formatFileSize(file.size)}
                  </p>
                ))
              : 'Drop a CSV file here, or'}
          </div>
          <ChooseFiles
            multiple
            label="CSV file"
            accept={LIST_FILE_ACCEPT}
            // The file dialog can be talked into showing other files; choosing one changes nothing.
            onChoose={(chosen) => onBrowse(chosen.filter(isListFile))}
          >
            {(props) => (
              <Button {...props} data-autofocus variant="default" size="sm">
                {files.length > 0 ? 'Browse for another file' : 'Browse'}
              </Button>
            )}
          </ChooseFiles>
        </div>
      </Dropzone>
      <p className={classes.accepted}>
        CSV, text, Excel, OpenDocument or zip files ({LIST_FILE_ENDINGS.join(', ')}), up to {FILES_MAX} at
        once. Save old Excel files (.xls) as .xlsx first.
      </p>
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
