import { Checkbox, VisuallyHidden } from '@mantine/core';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { Skeleton, SlotFailure } from '../async-slot.tsx';
import type { AsyncState } from '../async-state.ts';
import { useShownState } from '../use-shown-state.ts';
import classes from './data-grid.module.css';
import { DataGridPager } from './data-grid-pager.tsx';
import { DEFAULT_PAGING, type Paging } from './paging.ts';
import type { RowAction } from './row-action.ts';
import { RowActionMenu } from './row-action-menu.tsx';
import { isClickOnRow } from './row-click.ts';
import { ariaSortOf, ColumnHeader, type GridSorting, type SortOrders } from './sorting.tsx';
import { useGridLayout } from './use-grid-layout.ts';

export interface DataGridColumn<Row> {
  readonly header: string;
  /** Null where the row has no such value: columns show a dash, and compact rows nothing. */
  readonly cell: (row: Row) => ReactNode;
  /** Numbers align at the end of their column, so that their digits line up. */
  readonly align?: 'start' | 'end';
  /** Running text, which may wrap, as the first column may; a date, a number or a verdict stays on one line. */
  readonly isText?: boolean;
  /** For cells that are higher than a line of text: rows that still load are as high. */
  readonly cellHeight?: string;
  /**
   * Where too little room is for columns: beside the row's name, or in its second line after its header. Without this, in
   * the second line without a header, because the value says what it is.
   */
  readonly compact?: 'beside' | 'labelled';
  /** The names of the two orders by this column; its header then sorts. */
  readonly sort?: SortOrders;
}

/** As many as a page has at first, so that nothing below moves when they arrive. */
const SHOWN_WHILE_LOADING = DEFAULT_PAGING.pageSize;

interface DataGridProps<Row> {
  /** What the rows are, in the plural: names the table, and completes 'Loading …' and '… could not be loaded'. */
  name: string;
  /** The first column names the row. */
  columns: readonly [DataGridColumn<Row>, ...DataGridColumn<Row>[]];
  rows: AsyncState<{
    readonly results: readonly Row[];
    readonly total: number;
    /** False if there are more than `total`. */
    readonly total_is_exact?: boolean;
  }>;
  rowKey: (row: Row) => string;
  paging: Paging;
  onPagingChange: (paging: Paging) => void;
  /** Shown when there are no rows. */
  empty: ReactNode;
  onRetry?: () => void;
  /** Where a click on a row leads, except on its buttons and icons. The first column becomes the link. */
  rowHref?: (row: Row) => string;
  /** How many rows to draw while they load. */
  expectedRows?: number;
  /** For columns that sort. */
  sorting?: GridSorting;
  /** Lets people select rows of the page, by key. */
  selection?: GridSelection<Row>;
  /** The menu at the end of each row, and the name of the row in that menu's label. */
  rowMenu?: { readonly rowName: (row: Row) => string; readonly actions: (row: Row) => readonly RowAction[] };
}

interface GridSelection<Row> {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
  readonly rowName: (row: Row) => string;
}

/**
 * A page of rows. Loading again keeps the rows that are there. Where the table would be too narrow to read, each row has
 * two lines: its name and its most important value, then everything else.
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { name, columns, rowKey, paging, onPagingChange, empty, onRetry, rowMenu, selection } = props;
  const { expectedRows = SHOWN_WHILE_LOADING } = props;
  const rows = useShownState(props.rows);
  const page = rows.data;
  const isLoading = rows.status === 'loading';
  const shownPaging = useShownPaging(paging, rows);
  const { rootRef, tableRef, layout } = useGridLayout();
  return (
    <div
      ref={rootRef}
      className={classes.root}
      aria-busy={isLoading}
      data-status={rows.status}
      data-layout={layout}
    >
      {rows.status === 'failed' ? (
        <SlotFailure name={name} isStale={page !== undefined} onRetry={onRetry} />
      ) : null}
      {page?.total === 0 ? empty : null}
      {page === undefined && rows.status !== 'failed' ? (
        <VisuallyHidden role="status">{isLoading ? `Loading ${name}` : `Waiting for ${name}`}</VisuallyHidden>
      ) : null}
      {(page === undefined && rows.status === 'failed') || page?.total === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys
        <section className={classes.scroll} aria-label={name} tabIndex={0}>
          <table ref={tableRef} className={classes.table}>
            <thead>
              <tr>
                {columns.map((column, index) => (
                  <th
                    key={column.header}
                    scope="col"
                    data-align={column.align}
                    aria-sort={ariaSortOf(column.sort, props.sorting)}
                  >
                    {index === 0 && selection && page ? (
                      <SelectAll selection={selection} keys={page.results.map(rowKey)}>
                        {column.header}
                      </SelectAll>
                    ) : (
                      <ColumnHeader {...column} sorting={props.sorting} />
                    )}
                  </th>
                ))}
                {rowMenu ? (
                  <th scope="col">
                    <VisuallyHidden>Actions</VisuallyHidden>
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {page === undefined ? (
                <SkeletonRows count={expectedRows} columns={columns} hasMenu={rowMenu !== undefined} />
              ) : (
                page.results.map((row) => <DataRow key={rowKey(row)} row={row} {...props} />)
              )}
            </tbody>
          </table>
        </section>
      )}
      {page !== undefined && page.total > 0 ? (
        <DataGridPager
          name={name}
          paging={paging}
          shownPaging={shownPaging}
          total={page.total}
          isExact={page.total_is_exact ?? true}
          onPagingChange={onPagingChange}
        />
      ) : null}
    </div>
  );
}

/** Where the rows are that are shown: those of the page before stay until the rows of the next one arrive. */
function useShownPaging(paging: Paging, { status, data }: AsyncState<unknown>): Paging {
  const shown = useRef({ paging, data });
  if (status === 'complete' || data !== shown.current.data) shown.current = { paging, data };
  return shown.current.paging;
}

interface SelectAllProps {
  selection: Pick<GridSelection<never>, 'keys' | 'onChange'>;
  keys: readonly string[];
  children: ReactNode;
}

function SelectAll({ selection, keys, children }: SelectAllProps) {
  const selected = keys.filter((key) => selection.keys.has(key)).length;
  return (
    <span className={classes.selectable}>
      <Checkbox
        size="xs"
        aria-label="Select all rows of this page"
        checked={selected > 0 && selected === keys.length}
        indeterminate={selected > 0 && selected < keys.length}
        onChange={({ currentTarget }) => selection.onChange(new Set(currentTarget.checked ? keys : []))}
      />
      {children}
    </span>
  );
}

function SelectRow<Row>({
  row,
  rowKey,
  selection,
}: Pick<DataGridProps<Row>, 'rowKey'> & { row: Row; selection: GridSelection<Row> }) {
  const key = rowKey(row);
  const toggle = (isSelected: boolean) => {
    const keys = new Set(selection.keys);
    if (isSelected) keys.add(key);
    else keys.delete(key);
    selection.onChange(keys);
  };
  return (
    <Checkbox
      size="xs"
      aria-label={`Select ${selection.rowName(row)}`}
      checked={selection.keys.has(key)}
      onChange={({ currentTarget }) => toggle(currentTarget.checked)}
    />
  );
}

function DataRow<Row>({
  row,
  rowKey,
  columns,
  rowHref,
  rowMenu,
  selection,
}: { row: Row } & DataGridProps<Row>) {
  const navigate = useNavigate();
  const href = rowHref?.(row);
  const open = (event: MouseEvent<HTMLTableRowElement>) => {
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    const hasSelection = window.getSelection()?.type === 'Range';
    if (href === undefined || hasSelection) return;
    if (isClickOnRow({ row: event.currentTarget, target: event.target, isModified })) navigate(href);
  };
  return (
    // The link in the first column is the way of the keyboard; the row is a larger target for the pointer.
    <tr onClick={open} data-clickable={href !== undefined}>
      {columns.map((column, index) => (
        <td
          key={column.header}
          data-label={column.header}
          data-align={column.align}
          data-text={column.isText}
          data-compact={column.compact}
        >
          {index === 0 ? (
            <span className={selection ? classes.selectable : undefined}>
              {selection ? <SelectRow row={row} rowKey={rowKey} selection={selection} /> : null}
              {href === undefined ? (
                column.cell(row)
              ) : (
                <Link to={href} className={classes.rowLink}>
                  {column.cell(row)}
                </Link>
              )}
            </span>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {rowMenu ? (
        <td className={classes.menuCell}>
          <RowActionMenu actions={rowMenu.actions(row)} label={`Actions for ${rowMenu.rowName(row)}`} />
        </td>
      ) : null}
    </tr>
  );
}

/** As high and aligned as the rows that follow. */
function SkeletonRows<Row>({
  count,
  columns,
  hasMenu,
}: {
  count: number;
  columns: readonly DataGridColumn<Row>[];
  hasMenu: boolean;
}) {
  return Array.from({ length: count }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <tr key={place}>
      {columns.map(({ header, align, isText, cellHeight, compact }) => (
        <td key={header} data-label={header} data-align={align} data-text={isText} data-compact={compact}>
          <span className={classes.bone} style={{ height: cellHeight }}>
            <Skeleton height="0.75em" />
          </span>
        </td>
      ))}
      {hasMenu ? (
        <td className={classes.menuCell}>
          <span />
        </td>
      ) : null}
    </tr>
  ));
}
