import { RESULT_COLUMNS, type ResultColumn, type ValidationList } from '@assay/contract';
import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { AsyncSlot, LineSkeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { emailsText } from '../../../shared/format/count-words.ts';
import { DownloadFormat, useDownloadFormat } from '../../../shared/list-summary/download-format.tsx';
import { useExportList } from '../api/export-list.ts';
import { useListColumns } from '../api/get-list-columns.ts';
import type { filterOf } from './emails-view.ts';
import classes from './export-dialog.module.css';

interface ExportDialogProps {
  isOpen: boolean;
  list: Pick<ValidationList, 'id' | 'name'>;
  filter: ReturnType<typeof filterOf>;
  /** How many emails match the filter. */
  matches: { readonly total: number; readonly total_is_exact: boolean } | undefined;
  onClose: () => void;
}

/** Exports the emails that are filtered, with the columns that the customer chooses. */
export function ExportDialog({ isOpen, onClose, ...form }: ExportDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Export emails" size="30rem" withCloseButton={false}>
      <ExportForm {...form} onClose={onClose} />
    </Modal>
  );
}

function ExportForm({ list, filter, matches, onClose }: Omit<ExportDialogProps, 'isOpen'>) {
  const columns = useListColumns(list.id);
  const exportList = useExportList();
  const [format, setFormat] = useDownloadFormat();
  /** Numbers from 1 of the customer's columns that are left out. */
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [added, setAdded] = useState<ReadonlySet<ResultColumn>>(new Set(RESULT_COLUMNS));
  const own = columns.data?.columns.map((_, index) => index + 1) ?? [];
  const kept = own.filter((number) => !left.has(number));
  const download = () =>
    exportList.mutate(
      {
        list,
        ...filter,
        format,
        // Every column is what the server does without being told, also for those beyond the ones shown here.
        ...(left.size === 0 ? {} : { column: kept.length === 0 ? [0] : kept }),
        ...(added.size === RESULT_COLUMNS.length ? {} : { result_column: [...added] }),
      },
      { onSuccess: onClose },
    );
  return (
    <>
      <p className={classes.text}>
        {Object.keys(filter).length === 0
          ? 'All emails that have a result, each once.'
          : `${matchesText(matches)} what you search and filter by. Those that have a result are exported.`}
      </p>
      <AsyncSlot
        state={asyncStateOf(columns)}
        name="columns"
        onRetry={() => void columns.refetch()}
        skeleton={<LineSkeleton width="100%" />}
      >
        {({ columns: names }) => (
          <fieldset className={classes.columns}>
            <legend>Columns of your file</legend>
            {names.map((name, index) => (
              <Checkbox
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name, and never move
                key={index}
                label={name || `Column ${index + 1}`}
                checked={!left.has(index + 1)}
                onChange={() => setLeft(toggled(left, index + 1))}
              />
            ))}
          </fieldset>
        )}
      </AsyncSlot>
      <fieldset className={classes.columns}>
        <legend>Columns that we add</legend>
        {RESULT_COLUMNS.map((column) => (
          <Checkbox
            key={column}
            label={columnWords[column]}
            checked={added.has(column)}
            onChange={() => setAdded(toggled(added, column))}
          />
        ))}
      </fieldset>
      <Group justify="flex-end" gap="xs" mt="lg" className={classes.actions}>
        <DownloadFormat value={format} onChange={setFormat} />
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={kept.length + added.size === 0 || columns.data === undefined}
          loading={exportList.isPending}
          onClick={download}
        >
          Export
        </Button>
      </Group>
    </>
  );
}

const matchesText = (matches: ExportDialogProps['matches']): string => {
  if (matches === undefined) return 'Emails match';
  const { total, total_is_exact } = matches;
  return `${total_is_exact ? '' : 'More than '}${emailsText(total)} ${total === 1 ? 'matches' : 'match'}`;
};

const columnWords: Readonly<Record<ResultColumn, string>> = {
  result: 'Result',
  reason: 'Reason',
  flags: 'Flags',
  mx_provider: 'Provider',
  suggestion: 'Suggestion',
  outcome: 'Outcome, if you reported any',
};

function toggled<Item>(items: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const changed = new Set(items);
  if (!changed.delete(item)) changed.add(item);
  return changed;
}
