import { useQuery } from '@tanstack/react-query';
import { walletQuery } from '../../../shared/api/wallet-query.ts';
import { AsyncSlot } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { BalanceCard, BalanceCardSkeleton } from './balance-card.tsx';

/** Where the credits are, and how fast they go. */
export function SpendingSection() {
  const wallet = useQuery(walletQuery(useServices()));
  return (
    <AsyncSlot
      state={asyncStateOf(wallet)}
      name="balance"
      skeleton={<BalanceCardSkeleton />}
      onRetry={() => void wallet.refetch()}
    >
      {(data) => <BalanceCard wallet={data} />}
    </AsyncSlot>
  );
}
