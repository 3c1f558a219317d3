import type { RealtimeEvent } from '@assay/contract';
import type { UserId } from '../ids.ts';
import { type EventListenerOptions, listenForEvents } from './listen.ts';
import type { Recipient } from './publish.ts';

export interface EventSubscriber {
  onEvent(recipient: Recipient, event: RealtimeEvent): void;
  /** Some sessions of this customer ended, or the account. */
  onSessionsEnded?(userId: UserId): void;
  /** From now on events may be missed: subscribers that rely on them must read the data. */
  onLost(): void;
}

/** What any process publishes, heard over the one line of this process and passed on to all who subscribed. */
export interface EventHub {
  readonly isListening: boolean;
  subscribe(subscriber: EventSubscriber): void;
  close(): Promise<void>;
}

export async function openEventHub(
  options: Omit<EventListenerOptions, keyof EventSubscriber>,
): Promise<EventHub> {
  const subscribers: EventSubscriber[] = [];
  const listener = await listenForEvents({
    ...options,
    onEvent: (recipient, event) => {
      for (const subscriber of subscribers) subscriber.onEvent(recipient, event);
    },
    onSessionsEnded: (userId) => {
      for (const subscriber of subscribers) subscriber.onSessionsEnded?.(userId);
    },
    onLost: () => {
      for (const subscriber of subscribers) subscriber.onLost();
    },
  });
  return {
    get isListening() {
      return listener.isListening;
    },
    subscribe: (subscriber) => void subscribers.push(subscriber),
    close: () => listener.close(),
  };
}
