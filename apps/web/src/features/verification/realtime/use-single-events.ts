import { useQueryClient } from '@tanstack/react-query';
import { reloadWallet } from '../../../shared/api/wallet-query.ts';
import { afterStart } from '../../../shared/realtime/after-start.ts';
import { useRealtimeEvent } from '../../../shared/realtime/use-realtime-event.ts';
import { useReloadOnArrival } from '../../../shared/realtime/use-reload-on-arrival.ts';
import { verificationKeys } from '../api/keys.ts';
import { tellOutcome } from '../single/single-messages.ts';

/** What the page does when a check is complete, whichever tab is open: a check can be started from both. */
export function useSingleEvents(): void {
  const queryClient = useQueryClient();
  useReloadOnArrival([verificationKeys.singles, verificationKeys.single, verificationKeys.metrics]);
  useRealtimeEvent('verification_complete', ({ email_address_status }) => {
    void queryClient.invalidateQueries({ queryKey: verificationKeys.singles });
    void queryClient.invalidateQueries({ queryKey: verificationKeys.single });
    void queryClient.invalidateQueries({ queryKey: verificationKeys.metrics });
    void reloadWallet(queryClient);
    if (email_address_status) afterStart(queryClient, tellOutcome[email_address_status]);
  });
}
