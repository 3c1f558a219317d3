import type { RealtimeEvent } from '@assay/contract';
import {
  type KeptConnection,
  type KeptConnectionOptions,
  keepDirectConnection,
} from '../database/direct-connection.ts';
import type { UserId } from '../ids.ts';
import { EVENTS_CHANNEL, type Published, type Recipient } from './publish.ts';

export interface EventListenerOptions extends Omit<KeptConnectionOptions, 'channel' | 'onMessage'> {
  readonly onEvent: (recipient: Recipient, event: RealtimeEvent) => void;
  readonly onSessionsEnded: (userId: UserId) => void;
  readonly onLost: () => void;
}

/** Hears the events that any process publishes. */
export function listenForEvents(options: EventListenerOptions): Promise<KeptConnection> {
  return keepDirectConnection({
    ...options,
    channel: EVENTS_CHANNEL,
    onMessage: (payload) => {
      try {
        const published = JSON.parse(payload ?? '') as Published;
        if ('sessions_ended' in published) options.onSessionsEnded(published.user_id);
        else options.onEvent(published.user_id, published.event);
      } catch (error) {
        // Any client of the database can send anything on the channel. That must not end this process.
        options.logger.warn({ err: error }, 'ignored an invalid message on the events channel');
      }
    },
  });
}
