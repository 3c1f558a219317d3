import type { GuessOutcome } from '@assay/contract';
import { useQueryClient } from '@tanstack/react-query';
import { reloadWallet } from '../../../shared/api/wallet-query.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { afterStart } from '../../../shared/realtime/after-start.ts';
import { useRealtimeEvent } from '../../../shared/realtime/use-realtime-event.ts';
import { useReloadOnArrival } from '../../../shared/realtime/use-reload-on-arrival.ts';
import { guessingKeys } from '../api/keys.ts';

/** The messages of single guesses. */
export const guessThread = 'single guess';

/** What the page does when a guess is complete, whichever tab is open: a guess can be started from both. */
export function useGuessEvents(): void {
  const queryClient = useQueryClient();
  useReloadOnArrival([guessingKeys.guesses, guessingKeys.guess]);
  useRealtimeEvent('guess_complete', ({ guess_outcome }) => {
    void queryClient.invalidateQueries({ queryKey: guessingKeys.guesses });
    void queryClient.invalidateQueries({ queryKey: guessingKeys.guess });
    void reloadWallet(queryClient);
    if (guess_outcome) afterStart(queryClient, tellOutcome[guess_outcome]);
  });
}

const tellOutcome: Readonly<Record<GuessOutcome, () => void>> = {
  FOUND: () => snackbar.success('Guessing successful! Email found', guessThread),
  CATCH_ALL: () => snackbar.warning('Guessing complete. The domain takes every name', guessThread),
  NOT_FOUND: () => snackbar.warning('Guessing complete. No email found', guessThread),
  UNKNOWN: () => snackbar.warning('Guessing complete. The mail host would not say', guessThread),
};
