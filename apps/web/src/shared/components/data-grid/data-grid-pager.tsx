import { ActionIcon, NativeSelect } from '@mantine/core';
import { useId } from 'react';
import { formatCredits } from '../../format/counts.ts';
import { Icon } from '../icon.tsx';
import classes from './data-grid.module.css';
import { PAGE_SIZES, type PageSize, type Paging, pageCountOf, rowRangeOf, withPageSize } from './paging.ts';

interface DataGridPagerProps {
  /** What the grid shows. */
  name: string;
  paging: Paging;
  /** Of the rows that are shown while those of `paging` load. */
  shownPaging: Paging;
  total: number;
  /** False if there are more than `total`. */
  isExact: boolean;
  onPagingChange: (paging: Paging) => void;
}

export function DataGridPager(props: DataGridPagerProps) {
  const { name, paging, shownPaging, total, isExact, onPagingChange } = props;
  const selectId = useId();
  const pageCount = pageCountOf(total, paging.pageSize);
  const range = rowRangeOf(shownPaging, total);
  const goTo = (page: number) => onPagingChange({ ...paging, page });
  return (
    <nav className={classes.pager} aria-label={`Pages of ${name}`}>
      <div className={classes.pageSize}>
        <label htmlFor={selectId}>Rows per page</label>
        <NativeSelect
          id={selectId}
          size="xs"
          value={String(paging.pageSize)}
          data={PAGE_SIZES.map(String)}
          onChange={(event) => onPagingChange(withPageSize(Number(event.currentTarget.value) as PageSize))}
        />
      </div>
      <span aria-live="polite">
        {range ? `${formatCredits(range.first)}–${formatCredits(range.last)} of ` : ''}
        {isExact ? formatCredits(total) : `more than ${formatCredits(total)}`}
      </span>
      <div className={classes.pageSteps}>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label="Previous page"
          disabled={paging.page <= 1}
          onClick={() => goTo(Math.min(paging.page - 1, pageCount))}
        >
          <Icon name="previous" />
        </ActionIcon>
        <span>
          Page {formatCredits(shownPaging.page)} of {formatCredits(pageCountOf(total, shownPaging.pageSize))}
        </span>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label="Next page"
          disabled={paging.page >= pageCount}
          onClick={() => goTo(paging.page + 1)}
        >
          <Icon name="next" />
        </ActionIcon>
      </div>
    </nav>
  );
}
