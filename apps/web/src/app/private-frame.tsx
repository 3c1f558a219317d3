import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { PrivateLayout } from '../features/shell/private-layout.tsx';
import { userQuery } from '../shared/api/user-query.ts';
import { reloadWallet, walletQuery } from '../shared/api/wallet-query.ts';
import { asyncStateOf } from '../shared/components/async-state.ts';
import { useRealtimeEvent } from '../shared/realtime/use-realtime-event.ts';
import { useServices } from '../shared/services/services-context.tsx';
import { useRealtimeChannel } from './use-realtime-channel.ts';
import { useSessionUpkeep } from './use-session-upkeep.ts';

/** The signed-in part of the app: who it is, what they have, and the line on which the server tells news. */
export function PrivateFrame() {
  const services = useServices();
  const queryClient = useQueryClient();
  const user = useQuery(userQuery(services));
  const wallet = useQuery(walletQuery(services));

  useSessionUpkeep();
  useRealtimeChannel(user.isPlaceholderData ? undefined : user.data?.id);
  useRealtimeEvent('refresh_billing', () => void reloadWallet(queryClient));

  return (
    <PrivateLayout
      user={asyncStateOf(user)}
      wallet={asyncStateOf(wallet)}
      isStaging={services.config.stage === 'staging'}
      docsUrl={services.config.docs_url}
      onSignOut={() => services.doors.signOut()}
      onRetryUser={() => void user.refetch()}
      onRetryWallet={() => void wallet.refetch()}
    >
      <Outlet />
    </PrivateLayout>
  );
}
