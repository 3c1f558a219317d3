import { NativeSelect } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { SheetChoice } from './bulk-cost.ts';
import type { ColumnField, ColumnRead } from './bulk-words.ts';
import { ColumnChoice } from './column-choice.tsx';
import { shownColumns } from './column-options.ts';
import classes from './first-rows.module.css';
import type { ReadingChoice } from './use-bulk-import.ts';

interface FirstRowsProps {
  rows: readonly (readonly string[])[];
  columnsRead: readonly ColumnRead[];
  withHeaders: boolean;
  choice: SheetChoice;
  isBusy: boolean;
  onChoose: (choice: ReadingChoice) => void;
}

export function FirstRows(props: FirstRowsProps) {
  const { rows, columnsRead, withHeaders, isBusy, onChoose } = props;
  const { format, sheet, sheets = [] } = props.choice;
  const columnCount = Math.max(0, ...rows.map((row) => row.length));
  const marked = columnsRead.map(({ column }) => column);
  const [first = 0] = marked.filter((column) => column !== null);
  const region = useRef<HTMLDivElement>(null);
  // The column that is read is in sight, however many are before it.
  useEffect(() => {
    const cell = region.current?.querySelector<HTMLElement>(`[data-column="${first}"]`);
    if (cell) region.current?.scrollTo({ left: cell.offsetLeft - 16 });
  }, [first]);
  if (columnCount === 0 && sheets.length < 2) return null;
  const columns = shownColumns(columnCount, first);
  const [head = []] = rows;
  const nameOf = (column: number) => (withHeaders ? head[column]?.trim() : '') || `Column ${column + 1}`;
  const body = withHeaders ? rows.slice(1) : rows;
  /** All columns to read, with another one for a field, or none for 0. */
  const chosen = (field: ColumnField, number: number) =>
    Object.fromEntries(
      columnsRead
        .map((one) => [one.field, one.field === field ? number : (one.column ?? -1) + 1] as const)
        .filter(([, wanted]) => wanted > 0),
    );
  return (
    <div className={classes.root}>
      <div className={classes.choices}>
        {sheets.length > 1 ? (
          <NativeSelect
            label={format === 'zip' ? 'File' : 'Sheet'}
            size="sm"
            data={[...sheets]}
            value={sheet}
            disabled={isBusy}
            onChange={(event) => onChoose({ sheet: event.currentTarget.value })}
          />
        ) : null}
        {columnCount > 1 || columnsRead.some(({ column, isOptional }) => column === null && !isOptional)
          ? columnsRead.map((read) => (
              <ColumnChoice
                key={read.field}
                read={read}
                rows={rows}
                withHeaders={withHeaders}
                isBusy={isBusy}
                onChoose={(number) => onChoose({ columns: chosen(read.field, number) })}
              />
            ))
          : null}
      </div>
      {columnCount === 0 ? null : (
        // A customer's table may be wider than any screen. It scrolls, also by keyboard.
        // biome-ignore lint/a11y/useSemanticElements: a section is one of ours, and those never scroll sideways
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        <div ref={region} role="region" className={classes.scroll} aria-label="First rows" tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th
                    key={column}
                    scope="col"
                    data-column={column}
                    data-marked={marked.includes(column) || undefined}
                  >
                    {nameOf(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {body.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and never move
                <tr key={index}>
                  {columns.map((column) => (
                    <td key={column} dir="auto" data-marked={marked.includes(column) || undefined}>
                      {row[column]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
