import type { RealtimeEvent } from '@assay/contract';
import { type EventListenerOptions, listenForEvents } from './listen.ts';

export interface EventSubscriber {
  onEvent(userId: string, event: RealtimeEvent): void;
  /** Some sessions of this customer ended, or the account. */
  onSessionsEnded?(userId: string): void;
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
    onEvent: (userId, event) => {
      for (const subscriber of subscribers) subscriber.onEvent(userId, event);
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
