import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { walletQuery } from '../../../shared/api/wallet-query.ts';
import { AsyncSlot } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DrawnLater } from '../../../shared/components/drawn-later.tsx';
import { lateDialog } from '../../../shared/components/late-parts.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { CreditsHistory } from './credits-history.tsx';
import { PlanCard, PlanCardSkeleton } from './plan-card.tsx';
import { PromoBanner } from './promo-banner.tsx';

const ComparePlansDialog = lateDialog(
  async () => (await import('./compare-plans-dialog.tsx')).ComparePlansDialog,
);

const RedeemDialog = lateDialog(async () => (await import('./redeem-dialog.tsx')).RedeemDialog);

// Its rules for phone numbers are heavy, and few people ever see it.
const RequestCallDialog = lateDialog(
  async () => (await import('../../../shared/request-call/request-call-dialog.tsx')).RequestCallDialog,
);

/** Plan, promotional code and credits history. */
export function OverviewSection() {
  const wallet = useQuery(walletQuery(useServices()));
  const [openDialog, setOpenDialog] = useState<'redeem' | 'compare' | 'call' | null>(null);
  const close = () => setOpenDialog(null);
  return (
    <>
      <PromoBanner onRedeem={() => setOpenDialog('redeem')} />
      <AsyncSlot
        state={asyncStateOf(wallet)}
        name="plan"
        skeleton={<PlanCardSkeleton />}
        onRetry={() => void wallet.refetch()}
      >
        {(data) => <PlanCard wallet={data} onCompare={() => setOpenDialog('compare')} />}
      </AsyncSlot>
      <DrawnLater>
        <CreditsHistory />
      </DrawnLater>
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
