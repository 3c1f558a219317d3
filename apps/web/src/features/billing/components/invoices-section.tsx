import type { Invoice } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import { formatCents } from '../../../shared/format/money.ts';
import { useInvoices } from '../api/get-invoices.ts';
import { useOpenInvoice } from '../api/open-invoice.ts';
import classes from './credits-history.module.css';

export function InvoicesSection() {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const invoices = useInvoices(paging);
  return (
    <div className={classes.root}>
      <h2>Invoices</h2>
      <DataGrid
        name="invoices"
        expectedRows={2}
        columns={[
          { header: 'Date', cell: ({ date }) => formatDate(date) },
          {
            header: 'For',
            cell: describePurchase,
            isText: true,
          },
          {
            header: 'Total',
            cell: ({ total_in_cents }) => formatCents(total_in_cents),
            align: 'end',
            compact: 'beside',
          },
          { header: 'Status', cell: (invoice) => <Status invoice={invoice} /> },
          { header: 'Invoice', cell: (invoice) => <InvoiceLinks invoice={invoice} /> },
        ]}
        rows={asyncStateOf(invoices)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void invoices.refetch()}
        empty={<EmptyState icon="billing" title="Nothing has been paid yet." />}
      />
    </div>
  );
}

function Status({ invoice }: { invoice: Invoice }) {
  const { status } = invoice;
  return (
    <span className={classes.status} data-status={status}>
      {status === 'refunded' ? refundWords(invoice) : statusNames[status]}
    </span>
  );
}

const statusNames = { paid: 'Paid', open: 'Open', disputed: 'Disputed' } as const;

const refundWords = ({ refunded_in_cents, paid_in_cents }: Invoice): string =>
  refunded_in_cents >= paid_in_cents ? 'Refunded' : `${formatCents(refunded_in_cents)} refunded`;

/** With what a balance at the payment provider paid of it. */
function describePurchase({ kind, code, status, total_in_cents, paid_in_cents }: Invoice): string {
  const bought = `${code} ${kind === 'plan' ? 'plan' : 'credit pack'}`;
  const fromBalance = status === 'open' ? 0 : total_in_cents - paid_in_cents;
  return fromBalance > 0 ? `${bought}, ${formatCents(fromBalance)} paid from balance` : bought;
}

function InvoiceLinks({ invoice: { id, code, status, has_pdf } }: { invoice: Invoice }) {
  const { open, opening } = useOpenInvoice();
  const link = (as: 'page' | 'pdf', label: string) => (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={`${label}: ${code}`}
      loading={opening === as}
      onClick={() => open({ invoiceId: id, as })}
    >
      {label}
    </Button>
  );
  return (
    <Group gap={0} wrap="nowrap">
      {link('page', status === 'open' ? 'Pay' : has_pdf ? 'View' : 'Receipt')}
      {has_pdf ? link('pdf', 'PDF') : null}
    </Group>
  );
}
