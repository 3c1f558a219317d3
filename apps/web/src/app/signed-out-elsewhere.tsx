import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { MessagePage } from '../features/messages/message-page.tsx';
import { useServices } from '../shared/services/services-context.tsx';

/**
 * In place of a page whose session ended in another tab. Going to the provider by ourselves could find it still signed
 * in, since the other tab may be on its way there, and would undo the sign-out.
 */
export function SignedOutElsewhere() {
  const { signInTrips } = useServices();
  const queryClient = useQueryClient();
  const { pathname, search, hash } = useLocation();
  useEffect(() => queryClient.clear(), [queryClient]);
  return (
    <MessagePage
      icon="goodbye"
      title="You are signed out"
      body="Your session was closed in another tab. Sign in again to carry on where you were."
      primaryLabel="Sign in"
      onPrimary={() => void signInTrips.signIn(`${pathname}${search}${hash}`)}
    />
  );
}
