import { Button } from '@mantine/core';
import { Icon } from '../../../shared/components/icon.tsx';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import classes from './refused-file.module.css';

/** A CSV file of the kind that is taken, served beside the page. */
const SAMPLE_FILE = '/sample-emails.csv';

/** Why a file cannot be verified, and what one looks like that can. */
export function RefusedFile({ fileName, message }: { fileName: string; message: string }) {
  return (
    <div className={classes.root}>
      <p className={classes.file}>{fileName}</p>
      <div className={classes.problem} role="alert">
        <VerdictMark verdict="INVALID" size={20} />
        <div>
          <p className={classes.title}>This file is not valid.</p>
          <p className={classes.message}>{message}</p>
        </div>
      </div>
      <Button
        component="a"
        href={SAMPLE_FILE}
        download
        variant="default"
        leftSection={<Icon name="download" size={18} />}
      >
        Download sample file
      </Button>
    </div>
  );
}
