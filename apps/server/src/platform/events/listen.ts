import type { RealtimeEvent } from '@assay/contract';
import pg from 'pg';
import { type Schedule, systemSchedule } from '../clock.ts';
import type { Logger } from '../logging/index.ts';
import { EVENTS_CHANNEL, type PublishedEvent } from './publish.ts';

export interface EventListenerOptions {
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly logger: Logger;
  readonly onEvent: (userId: string, event: RealtimeEvent) => void;
  /** The line was lost: events may be missed from now on, until `isListening` again. */
  readonly onLost: () => void;
  readonly schedule?: Schedule;
}

export interface EventListener {
  readonly isListening: boolean;
  close(): Promise<void>;
}

const retryDelayMs = { first: 250, max: 10_000 } as const;
const checkIntervalMs = 30_000;
const checkTimeoutMs = 10_000;

/**
 * Hears what any process publishes, over a connection of its own since LISTEN holds one. When the connection breaks it
 * is opened again for as long as nobody closes it. Resolves once the first attempt has listened or failed.
 */
export async function listenForEvents(options: EventListenerOptions): Promise<EventListener> {
  const schedule = options.schedule ?? systemSchedule;
  let client: pg.Client | null = null;
  let isListening = false;
  let isClosed = false;
  let delayMs: number = retryDelayMs.first;
  let cancelTimer = () => {};

  async function connect(): Promise<void> {
    const opened = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: options.applicationName,
      keepAlive: true,
      connectionTimeoutMillis: checkTimeoutMs,
      query_timeout: checkTimeoutMs,
    });
    client = opened;
    opened.on('error', (error) => lose(opened, error));
    opened.on('end', () => lose(opened));
    opened.on('notification', ({ payload }) => deliver(payload));
    try {
      await opened.connect();
      await opened.query(`listen ${EVENTS_CHANNEL}`);
      if (client !== opened) return;
      isListening = true;
      delayMs = retryDelayMs.first;
      options.logger.info('listening for events');
      watch(opened);
    } catch (error) {
      lose(opened, error as Error);
    }
  }

  /** A line that was cut without a word looks open for many minutes unless something is asked over it. */
  function watch(watched: pg.Client): void {
    cancelTimer = schedule(() => {
      watched.query('select 1').then(
        () => {
          if (client === watched) watch(watched);
        },
        (error) => lose(watched, error),
      );
    }, checkIntervalMs);
  }

  function lose(lost: pg.Client, error?: Error): void {
    if (client !== lost) return;
    client = null;
    cancelTimer();
    const wasListening = isListening;
    isListening = false;
    // Its own end is of no interest any more, and may never come.
    lost.end().catch(() => undefined);
    if (isClosed) return;

    options.logger.warn({ err: error, retry_ms: delayMs }, 'the line for events was lost');
    if (wasListening) options.onLost();
    cancelTimer = schedule(() => void connect(), delayMs);
    delayMs = Math.min(delayMs * 2, retryDelayMs.max);
  }

  function deliver(payload: string | undefined): void {
    try {
      const { user_id, event } = JSON.parse(payload ?? '') as PublishedEvent;
      options.onEvent(user_id, event);
    } catch (error) {
      // Whoever can reach the database can say anything on the channel; that must not end this process.
      options.logger.warn({ err: error }, 'what came on the channel for events is no event');
    }
  }

  await connect();
  return {
    get isListening() {
      return isListening;
    },
    close: async () => {
      isClosed = true;
      isListening = false;
      cancelTimer();
      const open = client;
      client = null;
      await open?.end().catch(() => undefined);
    },
  };
}
