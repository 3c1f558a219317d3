import { connectRealtime } from '@assay/client';
import { API_BASE, REALTIME_PATH } from '@assay/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServices } from '../shared/services/services-context.tsx';

const channelUrl = (): string => {
  const url = new URL(`${API_BASE}${REALTIME_PATH}`, location.origin);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
};

/** Opens the channel once the user is known, one per user id, and keeps it for as long as they stay. */
export function useRealtimeChannel(userId: string | undefined): void {
  const { session, events, connection } = useServices();
  const queryClient = useQueryClient();

  useEffect(() => {
    if (userId === undefined) return;
    const channel = connectRealtime({
      url: channelUrl(),
      getToken: (refused) => (refused === undefined ? session.getToken() : session.renewToken(refused)),
      onEvent: events.publish,
      onStateChange: connection.noteChannel,
      // What was missed is unknown, so everything that is on the screen is loaded anew.
      onGap: () => void queryClient.invalidateQueries(),
    });
    const handOnToken = () => {
      const token = session.current()?.user_access_token;
      if (token) channel.renewToken(token);
    };
    const unsubscribe = session.subscribe(handOnToken);
    addEventListener('online', channel.wake);
    document.addEventListener('visibilitychange', channel.wake);
    return () => {
      unsubscribe();
      removeEventListener('online', channel.wake);
      document.removeEventListener('visibilitychange', channel.wake);
      channel.close();
    };
  }, [userId, session, events, connection, queryClient]);
}
