import { Button } from '@mantine/core';
import { VerdictMark } from '../components/verdict-mark.tsx';
import { formatCredits } from '../format/counts.ts';
import { metricsOf, type PricedPreview, totalCostOf } from './bulk-cost.ts';
import panel from './bulk-cost-panel.module.css';
import {
  CostBox,
  FileNotice,
  type FilePanelProps,
  FileRows,
  HeaderBox,
  NameField,
} from './bulk-cost-panel.tsx';
import type { BulkWords } from './bulk-words.ts';
import { filesWords } from './files-words.ts';
import { fileKey } from './list-file.ts';
import classes from './several-files-panel.module.css';
import { type ImportedFile, usableOf } from './use-bulk-import.ts';

interface SeveralFilesPanelProps<Preview extends PricedPreview> {
  files: readonly ImportedFile<Preview>[];
  words: BulkWords<Preview>;
  balance: number | undefined;
  panelOf: (file: ImportedFile<Preview>, preview: Preview) => FilePanelProps<Preview>;
  onRemove: (file: ImportedFile<Preview>) => void;
}

/** The offer for several files: what they cost together, and each of them to open. */
export function SeveralFilesPanel<Preview extends PricedPreview>(props: SeveralFilesPanelProps<Preview>) {
  const { files, words, balance, panelOf, onRemove } = props;
  return (
    <div className={panel.root}>
      <p className={panel.file} tabIndex={-1} data-autofocus>
        {filesWords(files)}
      </p>
      <CostBox cost={totalCostOf(usableOf(files), balance)} words={words} balance={balance} />
      <ul className={classes.files}>
        {files.map((file) => (
          <li key={fileKey(file.file)} className={classes.item}>
            {file.outcome.kind === 'valid' ? (
              <OneFile file={file} panel={panelOf(file, file.outcome.preview)} />
            ) : (
              <div className={classes.failed}>
                <VerdictMark verdict="INVALID" size={18} />
                <p>
                  <strong>{file.file.name}</strong> This file is not valid. {file.outcome.message}
                </p>
              </div>
            )}
            {file.isCreated ? null : (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Leave out ${file.file.name}`}
                onClick={() => onRemove(file)}
              >
                Leave out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function OneFile<Preview extends PricedPreview>({
  file: { isCreated },
  panel: props,
}: {
  file: ImportedFile<Preview>;
  panel: FilePanelProps<Preview>;
}) {
  const { billable } = metricsOf(props.preview, props.withHeaders);
  const headerWarning = isCreated ? null : props.words.headerWarning(props.preview, props.withHeaders);
  return (
    <details className={classes.file}>
      <summary>
        <strong>{props.fileName}</strong>
        <span>{isCreated ? 'Started' : `${props.words.billable}: ${formatCredits(billable)}`}</span>
        {headerWarning ? <span>{headerWarning}</span> : null}
      </summary>
      <div className={classes.body}>
        <p className={panel.detected}>{props.words.detected(props.preview)}</p>
        <FileNotice {...props} />
        <FileRows {...props} />
        <HeaderBox {...props} />
        <NameField {...props} />
        {props.tools}
      </div>
    </details>
  );
}
