import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { Outlet } from 'react-router';
import { BalanceBanners } from '../features/billing/components/balance-banners.tsx';
import { PrivateLayout } from '../features/shell/private-layout.tsx';
import { RestrictionBanner } from '../features/shell/restriction-banner.tsx';
import { reloadUser, userQuery } from '../shared/api/user-query.ts';
import { reloadWallet, walletQuery } from '../shared/api/wallet-query.ts';
import { PageDropCover } from '../shared/bulk-import/page-drop-cover.tsx';
import { asyncStateOf } from '../shared/components/async-state.ts';
import { usePolling } from '../shared/connection/use-polling.ts';
import { useRealtimeEvent } from '../shared/realtime/use-realtime-event.ts';
import { useServices } from '../shared/services/services-context.tsx';
import { showGuessingDocs } from './guessing-docs.ts';
import { SessionEnded } from './session-ended.tsx';
import { SignedInAsAnother } from './signed-in-as-another.tsx';
import { StartingScreen } from './starting-screen.tsx';
import { useListNotices } from './use-list-notices.ts';
import { useRealtimeChannel } from './use-realtime-channel.ts';
import { useSessionUpkeep } from './use-session-upkeep.ts';
import { useStrayDrops } from './use-stray-drops.ts';

/** The signed-in part of the app, until the session ends. The route's guard ensures that there is a session. */
export function PrivateFrame() {
  const { session, signInTrips } = useServices();
  const current = useSyncExternalStore(session.subscribe, session.current);
  const other = useSyncExternalStore(session.subscribe, session.takenOverBy);

  if (current && !current.forced_logout) return <SignedInFrame />;
  if (signInTrips.isLeaving()) return <StartingScreen />;
  if (other) return <SignedInAsAnother session={other} />;
  return <SessionEnded cause={current ? 'expired' : 'closedInAnotherTab'} />;
}

/** A constant, so that React does not render the page again, in one long task, when the person or the wallet changes. */
const page = <Outlet />;

/** Loads the person and the wallet, and opens the realtime channel. */
function SignedInFrame() {
  const services = useServices();
  const queryClient = useQueryClient();
  const user = useQuery(userQuery(services));
  const wallet = useQuery(walletQuery(services));

  useSessionUpkeep();
  useRealtimeChannel(user.isPlaceholderData ? undefined : user.data?.id);
  usePolling();
  useListNotices();
  const hasStrayFiles = useStrayDrops();
  const hasGuessing = user.data?.feature_flags.guessing_enabled ?? false;
  useEffect(() => showGuessingDocs(hasGuessing), [hasGuessing]);
  useRealtimeEvent('refresh_billing', () => void reloadWallet(queryClient));
  useRealtimeEvent('refresh_user', () => void reloadUser(queryClient));

  return (
    <PrivateLayout
      user={asyncStateOf(user)}
      wallet={asyncStateOf(wallet)}
      isStaging={services.config.stage === 'staging'}
      docsUrl={services.config.docs_url}
      onSignOut={() => services.signInTrips.signOut()}
      onRetryUser={() => void user.refetch()}
      onRetryWallet={() => void wallet.refetch()}
    >
      <RestrictionBanner restriction={user.data?.restriction} />
      <BalanceBanners wallet={wallet.data} />
      {page}
      {hasStrayFiles ? <PageDropCover /> : null}
    </PrivateLayout>
  );
}
