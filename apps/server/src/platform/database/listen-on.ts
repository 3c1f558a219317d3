import pg from 'pg';
import { type Schedule, systemSchedule } from '../clock.ts';
import type { Logger } from '../logging/index.ts';

export interface ListenOptions {
  readonly databaseUrl: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly channel: string;
  readonly logger: Logger;
  readonly onMessage: (payload: string | undefined) => void;
  /** The line was lost: messages may be missed from now on, until `isListening` again. */
  readonly onLost?: () => void;
  readonly schedule?: Schedule;
}

export interface ListeningLine {
  readonly isListening: boolean;
  close(): Promise<void>;
}

const retryDelayMs = { first: 250, max: 10_000 } as const;
const checkIntervalMs = 30_000;
const checkTimeoutMs = 10_000;

/**
 * Hears what any process says on a channel, over a connection of its own since LISTEN holds one. When the connection breaks it
 * is opened again for as long as nobody closes it. Resolves once the first attempt has listened or failed.
 */
export async function listenOn(options: ListenOptions): Promise<ListeningLine> {
  const { channel, logger, schedule = systemSchedule } = options;
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
    opened.on('notification', ({ payload }) => options.onMessage(payload));
    try {
      await opened.connect();
      await opened.query(`listen ${channel}`);
      if (client !== opened) return;
      isListening = true;
      delayMs = retryDelayMs.first;
      logger.info({ channel }, 'listening');
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

    logger.warn({ err: error, channel, retry_ms: delayMs }, 'the line to hear others by was lost');
    if (wasListening) options.onLost?.();
    cancelTimer = schedule(() => void connect(), delayMs);
    delayMs = Math.min(delayMs * 2, retryDelayMs.max);
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
