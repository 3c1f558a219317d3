import type { Invoice } from '@assay/contract';
import { expect, it } from 'vitest';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { renderLoaded } from '../../../shared/testing/render-markup.tsx';
import { invoicesKey } from '../api/get-invoices.ts';
import { InvoicesSection } from './invoices-section.tsx';

const paid: Invoice = {
  id: 'in_1',
  kind: 'plan',
  credits: 1_000,
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
  const { page, pageSize } = DEFAULT_PAGING;
  const loaded = [[...invoicesKey, page, pageSize], { results: [invoice], total: 1 }] as const;
  return renderLoaded(<InvoicesSection />, [loaded]).text;
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
