import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { walletQuery } from '../../shared/api/wallet-query.ts';
import { AsyncSlot, Skeleton } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { useRealtimeEvent } from '../../shared/realtime/use-realtime-event.ts';
import { useServices } from '../../shared/services/services-context.tsx';
import { transactionsKey } from './api/get-transactions.ts';
import classes from './billing-page.module.css';
import { ComparePlansDialog } from './components/compare-plans-dialog.tsx';
import { CreditsHistory } from './components/credits-history.tsx';
import { PlanCard } from './components/plan-card.tsx';
import { PromoBanner } from './components/promo-banner.tsx';
import { RedeemDialog } from './components/redeem-dialog.tsx';
import { usePlanChangeNotice } from './plan-change-notice.ts';

export function BillingPage() {
  const wallet = useQuery(walletQuery(useServices()));
  const queryClient = useQueryClient();
  const [openDialog, setOpenDialog] = useState<'redeem' | 'compare' | null>(null);
  // The wallet follows by itself everywhere; here its history does too.
  useRealtimeEvent(
    'refresh_billing',
    () => void queryClient.invalidateQueries({ queryKey: transactionsKey }),
  );
  usePlanChangeNotice(wallet.isPlaceholderData ? undefined : wallet.data?.subscription);
  const close = () => setOpenDialog(null);
  return (
    <>
      <title>Billing · Assay</title>
      <PageHeader title="Billing" />
      <div className={classes.root}>
        <PromoBanner onRedeem={() => setOpenDialog('redeem')} />
        <AsyncSlot
          state={asyncStateOf(wallet)}
          name="plan"
          skeleton={<Skeleton height="7rem" />}
          onRetry={() => void wallet.refetch()}
        >
          {(data) => <PlanCard wallet={data} onCompare={() => setOpenDialog('compare')} />}
        </AsyncSlot>
        <CreditsHistory />
      </div>
      <RedeemDialog isOpen={openDialog === 'redeem'} onClose={close} />
      <ComparePlansDialog isOpen={openDialog === 'compare'} wallet={wallet.data} onClose={close} />
    </>
  );
}
