import type { Transaction, TransactionCategory, TransactionSource } from '@assay/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate } from '../../../shared/format/dates.ts';
import { useTransactions } from '../api/get-transactions.ts';
import { useOpenInvoice } from '../api/open-invoice.ts';
import classes from './credits-history.module.css';

const categories: Record<TransactionCategory, string> = {
  GRANT: 'Credits granted',
  PURCHASE: 'Purchase',
  COUPON: 'Coupon',
  VERIFICATION: 'Verification',
  GUESSING: 'Guessing',
  REFUND: 'Refund',
  ADJUSTMENT: 'Adjustment',
};

const sources: Record<TransactionSource, string> = {
  SIGN_UP: 'Sign-up',
  FREE_PLAN: 'Free plan',
  SUBSCRIPTION: 'Subscription',
  COUPON: 'Coupon',
  SINGLE: 'Single',
  LIST: 'List',
  SUPPORT: 'Support',
};

export function CreditsHistory() {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const transactions = useTransactions(paging);
  return (
    <div className={classes.root}>
      <h2>Credits history</h2>
      <DataGrid
        name="credits history"
        columns={[
          { header: 'Type', cell: ({ category }) => categories[category] },
          { header: 'Source', cell: ({ source }) => sources[source] },
          { header: 'Detail', cell: (transaction) => <Detail transaction={transaction} />, isText: true },
          { header: 'Amount', cell: ({ amount }) => <Amount amount={amount} />, align: 'end' },
          { header: 'Balance', cell: ({ balance_after }) => formatCredits(balance_after), align: 'end' },
          { header: 'Date', cell: ({ creation_date }) => formatDate(creation_date) },
        ]}
        rows={asyncStateOf(transactions)}
        rowKey={({ number }) => String(number)}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void transactions.refetch()}
        empty={<EmptyState title="No credits have come or gone yet." />}
      />
    </div>
  );
}

function Detail({ transaction: { description, invoice_id } }: { transaction: Transaction }) {
  const openInvoice = useOpenInvoice();
  return (
    <>
      {description}
      {invoice_id === null ? null : (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.invoice}
          loading={openInvoice.isPending}
          onClick={() => openInvoice.mutate(invoice_id)}
        >
          Invoice
        </Button>
      )}
    </>
  );
}

/** Both credits and charges show their sign. */
function Amount({ amount }: { amount: number }) {
  return (
    <span data-incoming={amount > 0}>{amount > 0 ? `+${formatCredits(amount)}` : formatCredits(amount)}</span>
  );
}
