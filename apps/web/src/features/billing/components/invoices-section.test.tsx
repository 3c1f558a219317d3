import type { Invoice } from '@assay/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { ServicesContext } from '../../../shared/services/services-context.tsx';
import { renderMarkup } from '../../../shared/testing/render-markup.tsx';
import { invoicesKey } from '../api/get-invoices.ts';
import { InvoicesSection } from './invoices-section.tsx';

const paid: Invoice = {
  id: 'in_1',
  kind: 'plan',
  code: '50K',
  status: 'paid',
  date: '2026-11-15T12:00:00Z',
  paid_date: '2026-11-15T12:00:00Z',
  total_in_cents: 12_500,
  paid_in_cents: 12_500,
  refunded_in_cents: 0,
  has_pdf: true,
};

function textOf(invoice: Invoice): string {
  const queryClient = new QueryClient();
  const { page, pageSize } = DEFAULT_PAGING;
  queryClient.setQueryData([...invoicesKey, page, pageSize], { results: [invoice], total: 1 });
  // A first render makes no call.
  const services = { api: {} } as AppServices;
  return renderMarkup(
    <ServicesContext value={services}>
      <QueryClientProvider client={queryClient}>
        <InvoicesSection />
      </QueryClientProvider>
    </ServicesContext>,
  ).text;
}

it.each<[string, Partial<Invoice>, string]>([
  ['paid', {}, '50K plan $125.00 Paid View PDF'],
  [
    'open, with the way to pay it',
    { status: 'open', paid_in_cents: 0, paid_date: null },
    '50K plan $125.00 Open Pay PDF',
  ],
  ['disputed', { status: 'disputed' }, '50K plan $125.00 Disputed View PDF'],
  ['refunded', { status: 'refunded', refunded_in_cents: 12_500 }, '50K plan $125.00 Refunded View PDF'],
  [
    'refunded in part',
    { status: 'refunded', refunded_in_cents: 2_500 },
    '50K plan $125.00 $25.00 refunded View PDF',
  ],
])('an invoice that is %s says so', (_, change, words) => {
  expect(textOf({ ...paid, ...change })).toContain(words);
});
