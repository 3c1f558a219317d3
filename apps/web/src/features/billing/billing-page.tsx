import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { walletQuery } from '../../shared/api/wallet-query.ts';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { SectionLinks } from '../../shared/components/section-links.tsx';
import { type BillingSection, billingSections } from '../../shared/navigation/billing-sections.ts';
import { pageTitles } from '../../shared/navigation/page-titles.ts';
import { useRealtimeEvent } from '../../shared/realtime/use-realtime-event.ts';
import { useServices } from '../../shared/services/services-context.tsx';
import { automaticTopUpKey } from './api/automatic-top-up.ts';
import { useConfirmedPack } from './api/confirm-pack.ts';
import { invoicesKey } from './api/get-invoices.ts';
import { spendingKey } from './api/get-spending.ts';
import { transactionsKey } from './api/get-transactions.ts';
import classes from './billing-page.module.css';
import { AlertsSection } from './components/alerts-section.tsx';
import { InvoiceDetailsSection } from './components/invoice-details-section.tsx';
import { InvoicesSection } from './components/invoices-section.tsx';
import { OverviewSection } from './components/overview-section.tsx';
import { PackCard } from './components/pack-card.tsx';
import { SpendingSection } from './components/spending-section.tsx';
import { TopUpSection } from './components/top-up-section.tsx';
import { WaitingImportNotice } from './components/waiting-import-notice.tsx';
import { usePlanChangeNotice } from './plan-change-notice.ts';

const links = [
  { path: '/billing', label: 'Overview' },
  ...Object.entries(billingSections).map(([name, label]) => ({ path: `/billing/${name}`, label })),
];

export function BillingPage() {
  const { section } = useParams() as { section?: BillingSection };
  const wallet = useQuery(walletQuery(useServices()));
  const queryClient = useQueryClient();
  // The wallet follows by itself everywhere; here its history does too.
  useRealtimeEvent('refresh_billing', () => {
    for (const queryKey of [transactionsKey, automaticTopUpKey, spendingKey, invoicesKey]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  });
  usePlanChangeNotice(wallet.isPlaceholderData ? undefined : wallet.data?.subscription);
  useConfirmedPack();
  const Shown = section === undefined ? OverviewSection : sections[section];
  const title =
    section === undefined ? pageTitles.billing : `${billingSections[section]} · ${pageTitles.billing}`;
  return (
    <>
      <title>{`${title} · Assay`}</title>
      <PageHeader title={pageTitles.billing} />
      <SectionLinks label="Billing" links={links} />
      <div className={classes.root}>
        <WaitingImportNotice />
        <Shown />
      </div>
    </>
  );
}

const sections: Readonly<Record<BillingSection, () => React.ReactNode>> = {
  packs: PackCard,
  spending: SpendingSection,
  invoices: () => (
    <>
      <InvoicesSection />
      <InvoiceDetailsSection />
    </>
  ),
  'top-up': TopUpSection,
  alerts: AlertsSection,
};
