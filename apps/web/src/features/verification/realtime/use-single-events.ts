import type { Verdict } from '@assay/contract';
import { useQueryClient } from '@tanstack/react-query';
import { reloadWallet } from '../../../shared/api/wallet-query.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { afterStart } from '../../../shared/realtime/after-start.ts';
import { useRealtimeEvent } from '../../../shared/realtime/use-realtime-event.ts';
import { useReloadOnArrival } from '../../../shared/realtime/use-reload-on-arrival.ts';
import { verificationKeys } from '../api/keys.ts';

/** The messages of single checks. */
export const singleThread = 'single check';

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

const tellOutcome: Readonly<Record<Verdict, () => void>> = {
  VALID: () => snackbar.success('Verification successful! Valid email', singleThread),
  INVALID: () => snackbar.warning('Verification successful! Invalid email', singleThread),
  CATCH_ALL: () => snackbar.warning('Verification successful! Catch all email', singleThread),
  UNKNOWN: () => snackbar.warning('Verification successful! Unknown email', singleThread),
};
