import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { MessagePage } from '../features/messages/message-page.tsx';
import { useServices } from '../shared/services/services-context.tsx';

/** In place of a page whose session has expired, or was ended from elsewhere. */
export function SessionEnded() {
  const { signInTrips } = useServices();
  const queryClient = useQueryClient();
  const { pathname, search, hash } = useLocation();
  useEffect(() => queryClient.clear(), [queryClient]);
  return (
    <MessagePage
      icon="goodbye"
      title="Your session has ended"
      body="It expired, or it was ended on another device. Sign in again to carry on where you were."
      primaryLabel="Sign in"
      onPrimary={() => void signInTrips.signInAgain(`${pathname}${search}${hash}`)}
    />
  );
}
