import { type OutcomeFile, REPORTED_KINDS, type ReportedKind } from '@assay/contract';
import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { FormButtons } from '../../shared/components/form-buttons.tsx';
import { FormDialog } from '../../shared/components/form-dialog.tsx';
import { FormErrors } from '../../shared/components/form-errors.tsx';
import { formErrorText } from '../../shared/errors/form-error-text.ts';
import { formatDateTime } from '../../shared/format/dates.ts';
import { type FileWishes, useFilePreview, useImportOutcomes } from './api/outcomes.ts';
import {
  columnChoices,
  countedKinds,
  countOf,
  kindLabels,
  reportedLabels,
  understoodText,
} from './outcome-file-words.ts';
import classes from './upload-dialog.module.css';

interface UploadDialogProps {
  isOpen: boolean;
  file: File;
  onClose: () => void;
}

/** Shows what we make of a file, lets people correct it, and keeps its outcomes. */
export function UploadDialog({ isOpen, file, onClose }: UploadDialogProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={file.name}
      size="40rem"
      closeOnClickOutside={false}
      withCloseButton
    >
      <UploadForm file={file} onClose={onClose} />
    </FormDialog>
  );
}

function UploadForm({ file, onClose }: Omit<UploadDialogProps, 'isOpen'>) {
  const [wishes, setWishes] = useState<FileWishes>({});
  const preview = useFilePreview({ file, wishes });
  const importOutcomes = useImportOutcomes();
  const state = asyncStateOf(preview);
  // Still there to be corrected when another sheet or column cannot be read.
  const [found, setFound] = useState<OutcomeFile>();
  if (preview.data && preview.data !== found) setFound(preview.data);
  const wish = (change: FileWishes) => {
    importOutcomes.reset();
    setWishes((before) => ({ ...before, ...change }));
  };
  const isReady = found !== undefined && state.status === 'complete' && found.understood > 0;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) importOutcomes.mutate({ file, wishes }, { onSuccess: onClose });
      }}
    >
      <Stack gap="md" aria-busy={preview.isFetching}>
        {found ? (
          <>
            <p className={classes.summary} role="status">
              {found.missing.length > 0 ? missingText(found) : understoodText(found)}
            </p>
            {found.understood > 0 ? <p className={classes.aside}>{countedKinds(found.counts)}</p> : null}
            <Choices found={found} wishes={wishes} onWish={wish} />
            <Examples found={found} />
            <Problems found={found} />
          </>
        ) : state.status === 'failed' ? null : (
          <p className={classes.summary} role="status">
            Reading the file …
          </p>
        )}
        <FormErrors text={formErrorText(preview.error ?? importOutcomes.error)} />
        <FormButtons
          submitLabel={isReady ? `Add ${countOf(found.understood, 'outcome', 'outcomes')}` : 'Add outcomes'}
          isBusy={importOutcomes.isPending}
          isIncomplete={!isReady}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

const missingWords = { email: 'to whom', kind: 'what', at: 'when' } as const;

const missingText = ({ missing }: OutcomeFile): string =>
  `The file does not say ${missing.map((what) => missingWords[what]).join(', ')}. Choose below.`;

const columnFields = [
  ['email', 'email_column', 'Address'],
  ['kind', 'kind_column', 'What happened'],
  ['at', 'at_column', 'When'],
  ['detail', 'detail_column', 'Reply of the host'],
  ['id', 'id_column', 'Id of the event'],
] as const;

interface ChoicesProps {
  found: OutcomeFile;
  wishes: FileWishes;
  onWish: (change: FileWishes) => void;
}

function Choices({ found, wishes, onWish }: ChoicesProps) {
  const { columns, sheet, sheets = [] } = found;
  if (columns === null) return null;
  const choices = [{ value: '0', label: 'None' }, ...columnChoices(found.first_rows)];
  return (
    <div className={classes.choices}>
      {sheets.length > 1 ? (
        <NativeSelect
          label={found.format === 'zip' ? 'File' : 'Sheet'}
          value={wishes.sheet ?? sheet}
          data={sheets}
          onChange={({ currentTarget }) =>
            // Its columns are others.
            onWish({ ...noColumns, sheet: currentTarget.value })
          }
        />
      ) : null}
      {columnFields.map(([column, field, label]) => (
        <NativeSelect
          key={column}
          label={label}
          value={String(wishes[field] ?? columns[column] ?? 0)}
          data={choices}
          onChange={({ currentTarget }) => onWish({ [field]: Number(currentTarget.value) })}
        />
      ))}
      {columns.kind === null ? (
        <NativeSelect
          label="What happened to all"
          value={wishes.kind ?? ''}
          data={[
            { value: '', label: 'As the reply says' },
            ...REPORTED_KINDS.map((kind) => ({ value: kind, label: reportedLabels[kind] })),
          ]}
          onChange={({ currentTarget }) =>
            onWish({ kind: (currentTarget.value || undefined) as ReportedKind | undefined })
          }
        />
      ) : null}
      {columns.at === null ? (
        <TextInput
          type="date"
          label="Day of all"
          value={wishes.date ?? ''}
          onChange={({ currentTarget }) => onWish({ date: currentTarget.value || undefined })}
        />
      ) : null}
    </div>
  );
}

const noColumns = {
  email_column: undefined,
  kind_column: undefined,
  at_column: undefined,
  detail_column: undefined,
  id_column: undefined,
} as const;

function Examples({ found: { examples, understood } }: { found: OutcomeFile }) {
  if (examples.length === 0) return null;
  return (
    <section aria-label="The first outcomes">
      <h3 className={classes.heading}>
        {understood > examples.length ? `The first ${examples.length}` : 'What it says'}
      </h3>
      <ul className={classes.list}>
        {examples.map((one) => (
          <li key={`${one.place} ${one.email}`}>
            <strong>{one.email}</strong>
            <span className={classes.aside}>
              {kindLabels[one.kind]}, {one.reason.text} · {formatDateTime(one.at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Problems({ found: { format, problems, not_readable } }: { found: OutcomeFile }) {
  if (problems.length === 0) return null;
  return (
    <section aria-label="What cannot be read">
      <h3 className={classes.heading}>
        {not_readable > problems.length
          ? `The first ${problems.length} that cannot be read`
          : 'Cannot be read'}
      </h3>
      <ul className={classes.list}>
        {problems.map(({ place, problem }) => (
          <li key={place}>
            {format === 'mails' ? 'Mail' : 'Row'} {place}: {problem}
          </li>
        ))}
      </ul>
    </section>
  );
}
