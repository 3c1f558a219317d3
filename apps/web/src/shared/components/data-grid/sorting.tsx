import { UnstyledButton } from '@mantine/core';
import { Icon } from '../icon.tsx';
import classes from './sorting.module.css';

/** The names of the orders that a column can have. */
export interface SortOrders {
  readonly up: string;
  readonly down: string;
}

export interface GridSorting {
  readonly current: string | undefined;
  /** Undefined for the order that the rows have by themselves. */
  readonly onSort: (sort: string | undefined) => void;
  /** Why the rows cannot be sorted; they can without it. */
  readonly refusal?: string | undefined;
}

interface ColumnHeaderProps {
  header: string;
  sort?: SortOrders | undefined;
  sorting: GridSorting | undefined;
}

/** The name of a column. It sorts upwards, downwards, and then not any more. */
export function ColumnHeader({ header, sort, sorting }: ColumnHeaderProps) {
  if (sort === undefined || sorting === undefined) return header;
  const { current, onSort, refusal } = sorting;
  const direction = current === sort.up ? 'up' : current === sort.down ? 'down' : undefined;
  const next = { none: sort.up, up: sort.down, down: undefined }[direction ?? 'none'];
  return (
    <UnstyledButton
      className={classes.header}
      data-direction={direction}
      aria-disabled={refusal !== undefined}
      title={refusal}
      aria-description={refusal}
      onClick={() => {
        if (refusal === undefined || direction !== undefined) onSort(next);
      }}
    >
      {header}
      <Icon name={direction === 'down' ? 'expand' : 'less'} size={14} />
    </UnstyledButton>
  );
}

export function ariaSortOf(sort: SortOrders | undefined, sorting: GridSorting | undefined) {
  if (sort === undefined || sorting === undefined) return undefined;
  if (sorting.current === sort.up) return 'ascending';
  return sorting.current === sort.down ? 'descending' : 'none';
}
