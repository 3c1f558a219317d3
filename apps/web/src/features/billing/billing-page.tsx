import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { walletQuery } from '../../shared/api/wallet-query.ts';
import { AsyncSlot } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { DrawnLater } from '../../shared/components/drawn-later.tsx';
import { lateDialog } from '../../shared/components/late-parts.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
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
import { BalanceCard, BalanceCardSkeleton } from './components/balance-card.tsx';
import { CreditsHistory } from './components/credits-history.tsx';
import { InvoicesSection } from './components/invoices-section.tsx';
import { PackCard } from './components/pack-card.tsx';
import { PlanCard, PlanCardSkeleton } from './components/plan-card.tsx';
import { PromoBanner } from './components/promo-banner.tsx';
import { TopUpSection } from './components/top-up-section.tsx';
import { WaitingImportNotice } from './components/waiting-import-notice.tsx';
import { usePlanChangeNotice } from './plan-change-notice.ts';

const ComparePlansDialog = lateDialog(
  async () => (await import('./components/compare-plans-dialog.tsx')).ComparePlansDialog,
);

const RedeemDialog = lateDialog(async () => (await import('./components/redeem-dialog.tsx')).RedeemDialog);

// Its rules for phone numbers are heavy, and few people ever see it.
const RequestCallDialog = lateDialog(
  async () => (await import('../../shared/request-call/request-call-dialog.tsx')).RequestCallDialog,
);

export function BillingPage() {
  const wallet = useQuery(walletQuery(useServices()));
  const queryClient = useQueryClient();
  const [openDialog, setOpenDialog] = useState<'redeem' | 'compare' | 'call' | null>(null);
  // The wallet follows by itself everywhere; here its history does too.
  useRealtimeEvent('refresh_billing', () => {
    for (const queryKey of [transactionsKey, automaticTopUpKey, spendingKey, invoicesKey]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  });
  usePlanChangeNotice(wallet.isPlaceholderData ? undefined : wallet.data?.subscription);
  useConfirmedPack();
  const close = () => setOpenDialog(null);
  return (
    <>
      <title>{`${pageTitles.billing} · Assay`}</title>
      <PageHeader title={pageTitles.billing} />
      <div className={classes.root}>
        <WaitingImportNotice />
        <AsyncSlot
          state={asyncStateOf(wallet)}
          name="plan"
          skeleton={
            <div className={classes.root}>
              <BalanceCardSkeleton />
              <PlanCardSkeleton />
            </div>
          }
          onRetry={() => void wallet.refetch()}
        >
          {(data) => (
            <div className={classes.root}>
              <BalanceCard wallet={data} />
              <PlanCard wallet={data} onCompare={() => setOpenDialog('compare')} />
            </div>
          )}
        </AsyncSlot>
        <DrawnLater>
          <PackCard />
          <PromoBanner onRedeem={() => setOpenDialog('redeem')} />
          <TopUpSection />
          <AlertsSection />
          <DrawnLater>
            <CreditsHistory />
            <InvoicesSection />
          </DrawnLater>
        </DrawnLater>
      </div>
      <RedeemDialog isOpen={openDialog === 'redeem'} onClose={close} />
      <ComparePlansDialog
        isOpen={openDialog === 'compare'}
        wallet={wallet.data}
        onClose={close}
        onRequestCall={() => setOpenDialog('call')}
      />
      <RequestCallDialog isOpen={openDialog === 'call'} onClose={close} />
    </>
  );
}
