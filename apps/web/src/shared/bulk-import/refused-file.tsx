import { Button } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { VerdictMark } from '../components/verdict-mark.tsx';
import type { ColumnRead } from './bulk-words.ts';
import { sheetWord } from './file-format-words.ts';
import { FirstRows } from './first-rows.tsx';
import classes from './refused-file.module.css';
import type { FileChoices, ReadingChoice } from './use-bulk-import.ts';

interface RefusedFileProps {
  fileName: string;
  message: string;
  /** A CSV file of the kind that is taken. */
  sampleFile: string;
  /** The rows and sheets of a file that could be read. */
  choices?: FileChoices | undefined;
  /** The columns to choose. */
  columns?: readonly ColumnRead[];
  isBusy?: boolean;
  onChoose?: (choice: ReadingChoice) => void;
}

/** Why a file cannot be used, and what can be done: choose a column or a sheet of it, or look at one that can. */
export function RefusedFile(props: RefusedFileProps) {
  const { fileName, message, sampleFile, choices, columns = [], isBusy = false, onChoose } = props;
  return (
    <div className={classes.root}>
      <p className={classes.file} dir="auto">
        {fileName}
      </p>
      <div className={classes.problem} role="alert">
        <VerdictMark verdict="INVALID" size={20} />
        <div>
          <p className={classes.title}>This file is not valid.</p>
          <p className={classes.message}>{message}</p>
        </div>
      </div>
      {choices && onChoose ? (
        <>
          <p className={classes.hint}>{hintOf(choices)}</p>
          <FirstRows
            rows={choices.first_rows}
            columnsRead={columns}
            withHeaders
            choice={choices}
            isBusy={isBusy}
            onChoose={(choice) => onChoose({ sheet: choices.sheet, ...choice })}
          />
        </>
      ) : null}
      <Button
        component="a"
        href={sampleFile}
        download
        variant="default"
        leftSection={<Icon name="download" size={18} />}
      >
        Download sample file
      </Button>
    </div>
  );
}

const hintOf = ({ first_rows, format, sheets = [] }: FileChoices): string => {
  if (first_rows.length === 0) return `Choose another ${sheetWord(format)}.`;
  const orOther = sheets.length > 1 ? `, or another ${sheetWord(format)}` : '';
  return `Choose the column below${orOther}.`;
};
