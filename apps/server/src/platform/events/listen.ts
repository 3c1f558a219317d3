import type { RealtimeEvent } from '@assay/contract';
import { type ListeningLine, type ListenOptions, listenOn } from '../database/listen-on.ts';
import { EVENTS_CHANNEL, type PublishedEvent } from './publish.ts';

export interface EventListenerOptions extends Omit<ListenOptions, 'channel' | 'onMessage'> {
  readonly onEvent: (userId: string, event: RealtimeEvent) => void;
  readonly onLost: () => void;
}

/** Hears the events that any process publishes. */
export function listenForEvents(options: EventListenerOptions): Promise<ListeningLine> {
  return listenOn({
    ...options,
    channel: EVENTS_CHANNEL,
    onMessage: (payload) => {
      try {
        const { user_id, event } = JSON.parse(payload ?? '') as PublishedEvent;
        options.onEvent(user_id, event);
      } catch (error) {
        // Whoever can reach the database can say anything on the channel; that must not end this process.
        options.logger.warn({ err: error }, 'what came on the channel for events is no event');
      }
    },
  });
}
