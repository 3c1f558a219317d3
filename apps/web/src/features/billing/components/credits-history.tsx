import type { Transaction, TransactionCategory, TransactionSource } from '@assay/contract';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { Link } from 'react-router';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { useFilter } from '../../../shared/components/data-grid/use-filter.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate, formatTime } from '../../../shared/format/dates.ts';
import { useExportHistory } from '../api/export-history.ts';
import { useTransactions } from '../api/get-transactions.ts';
import { useOpenInvoice } from '../api/open-invoice.ts';
import {
  categoryNames,
  categoryOptions,
  type HistoryFilter,
  sourceNames,
  sourceOptions,
  wholeHistory,
} from '../history-filter.ts';
import classes from './credits-history.module.css';

export function CreditsHistory() {
  const { filter, show, paging, setPaging } = useFilter(wholeHistory);
  const transactions = useTransactions(paging, filter);
  return (
    <div className={classes.root}>
      <h2>Credits history</h2>
      <HistoryTools filter={filter} onChange={show} />
      <DataGrid
        name="credits history"
        columns={[
          { header: 'Type', cell: ({ category }) => categoryNames[category] },
          { header: 'Source', cell: ({ source }) => sourceNames[source] },
          { header: 'Detail', cell: (transaction) => <Detail transaction={transaction} />, isText: true },
          {
            header: 'Amount',
            cell: ({ amount }) => <Amount amount={amount} />,
            align: 'end',
            compact: 'beside',
          },
          {
            header: 'Balance',
            cell: ({ balance_after }) => formatCredits(balance_after),
            align: 'end',
            compact: 'labelled',
          },
          {
            header: 'Date',
            cell: ({ creation_date }) => <Moment date={creation_date} />,
          },
        ]}
        rows={asyncStateOf(transactions)}
        rowKey={({ number }) => String(number)}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void transactions.refetch()}
        empty={
          <EmptyState
            icon="billing"
            title={
              filter.category === '' && filter.source === ''
                ? 'No credits have come or gone yet.'
                : 'No entries match these filters.'
            }
          />
        }
      />
    </div>
  );
}

interface HistoryToolsProps {
  filter: HistoryFilter;
  onChange: (changed: Partial<HistoryFilter>) => void;
}

function HistoryTools({ filter, onChange }: HistoryToolsProps) {
  const exportHistory = useExportHistory();
  return (
    <div className={classes.tools}>
      <NativeSelect
        aria-label="Type"
        data={categoryOptions}
        value={filter.category}
        onChange={(event) => onChange({ category: event.currentTarget.value as TransactionCategory | '' })}
      />
      <NativeSelect
        aria-label="Source"
        data={sourceOptions}
        value={filter.source}
        onChange={(event) => onChange({ source: event.currentTarget.value as TransactionSource | '' })}
      />
      <Checkbox
        label="Show entries of 0"
        checked={filter.showsZero}
        onChange={(event) => onChange({ showsZero: event.currentTarget.checked })}
      />
      <Checkbox
        label="Show each single check"
        checked={filter.showsChecks}
        onChange={(event) => onChange({ showsChecks: event.currentTarget.checked })}
      />
      <Button
        className={classes.download}
        variant="default"
        leftSection={<Icon name="download" size={18} />}
        loading={exportHistory.isPending}
        onClick={() => exportHistory.mutate({ list: { name: 'Credits history' }, filter })}
      >
        Download CSV
      </Button>
    </div>
  );
}

const listPaths = { emails: '/email-verification/bulk', people: '/email-guessing' } as const;

function Detail({ transaction: { description, list, checks, invoice_id } }: { transaction: Transaction }) {
  const { open, opening } = useOpenInvoice();
  return (
    <>
      {description}
      {checks?.key ? ` by ${checks.key.name ?? 'a revoked key'}` : null}
      {list?.name ? (
        <>
          {': '}
          <Link to={`${listPaths[list.kind]}/${list.id}`}>{list.name}</Link>
        </>
      ) : null}
      {invoice_id === null ? null : (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.invoice}
          loading={opening !== null}
          onClick={() => open({ invoiceId: invoice_id, as: 'page' })}
        >
          Invoice
        </Button>
      )}
    </>
  );
}

/** The day as everywhere, and the time of day. */
function Moment({ date }: { date: string }) {
  return (
    <span className={classes.moment}>
      {formatDate(date)}
      <span>{formatTime(date)}</span>
    </span>
  );
}

/** Both credits and charges show their sign. */
function Amount({ amount }: { amount: number }) {
  return (
    <span data-incoming={amount > 0}>{amount > 0 ? `+${formatCredits(amount)}` : formatCredits(amount)}</span>
  );
}
