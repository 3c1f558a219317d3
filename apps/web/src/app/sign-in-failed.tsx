import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { MessagePage } from '../features/messages/message-page.tsx';
import { useServices } from '../shared/services/services-context.tsx';

/** The trip to the identity provider came back without a session. */
export function SignInFailed() {
  const { signInTrips } = useServices();
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <MessagePage
      icon="forbidden"
      title="Sign-in not completed"
      body="We could not sign you in. The attempt may have taken too long or been cancelled; nothing was changed."
      primaryLabel="Try again"
      onPrimary={() => void signInTrips.signIn('/')}
    />
  );
}
