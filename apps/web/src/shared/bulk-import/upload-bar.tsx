import type { UploadProgress } from '@assay/client';
import { Progress } from '@mantine/core';
import classes from './upload-bar.module.css';

interface UploadBarProps {
  fileName: string;
  upload: UploadProgress;
}

/** The progress of an upload, then a note that the server reads the file. */
export function UploadBar({ fileName, upload: { sentBytes, totalBytes } }: UploadBarProps) {
  const percent = totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 100);
  const stage = percent < 100 ? 'Uploading' : 'Reading';
  return (
    <div className={classes.root}>
      <p className={classes.line}>
        <span className={classes.file}>
          {stage} <strong>{fileName}</strong>
        </span>
        <span>{percent < 100 ? `${percent}%` : null}</span>
      </p>
      <Progress.Root size="sm">
        <Progress.Section
          value={percent}
          color="var(--assay-accent)"
          aria-label={`${stage} ${fileName}`}
          animated={percent === 100}
        />
      </Progress.Root>
    </div>
  );
}
