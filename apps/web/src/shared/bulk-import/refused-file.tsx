import { Button } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { VerdictMark } from '../components/verdict-mark.tsx';
import classes from './refused-file.module.css';

interface RefusedFileProps {
  fileName: string;
  message: string;
  /** A CSV file of the kind that is taken. */
  sampleFile: string;
}

/** Why a file cannot be used, and what one looks like that can. */
export function RefusedFile({ fileName, message, sampleFile }: RefusedFileProps) {
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
