import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { MessagePage } from '../features/messages/message-page.tsx';
import { useServices } from '../shared/services/services-context.tsx';

const causes = {
  expired: {
    title: 'Your session has ended',
    body: 'It expired, or it was ended on another device. Sign in again to carry on where you were.',
  },
  closedInAnotherTab: {
    title: 'You are signed out',
    body: 'Your session was closed in another tab. Sign in again to carry on where you were.',
  },
};

/**
 * Replaces a page whose session is over. It does not leave for the provider by itself: another tab may still be signing
 * out there, and the provider would sign the person in again.
 */
export function SessionEnded({ cause }: { cause: keyof typeof causes }) {
  const { signInTrips } = useServices();
  const queryClient = useQueryClient();
  const { pathname, search, hash } = useLocation();
  useEffect(() => queryClient.clear(), [queryClient]);
  const signIn = (returnTo: string) =>
    cause === 'expired' ? signInTrips.signInAgain(returnTo, 'session_ended') : signInTrips.signIn(returnTo);
  return (
    <MessagePage
      icon="goodbye"
      {...causes[cause]}
      primaryLabel="Sign in"
      onPrimary={() => void signIn(`${pathname}${search}${hash}`)}
    />
  );
}
