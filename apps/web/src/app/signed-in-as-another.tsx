import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { MessagePage } from '../features/messages/message-page.tsx';
import type { Session } from '../shared/session/session.ts';
import { emailOf } from '../shared/session/session-email.ts';

/** Replaces one person's page after another person signed in in another tab, so that neither acts as the other. */
export function SignedInAsAnother({ session }: { session: Session }) {
  const queryClient = useQueryClient();
  useEffect(() => queryClient.clear(), [queryClient]);
  const name = emailOf(session) ?? 'another person';
  return (
    <MessagePage
      icon="forbidden"
      title="You signed in as someone else"
      body={`You signed in as ${name} in another tab. This page belonged to another account.`}
      primaryLabel="Reload"
      onPrimary={() => location.assign('/')}
    />
  );
}
