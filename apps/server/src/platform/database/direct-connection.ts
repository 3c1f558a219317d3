// LISTEN and session locks belong to one session of PostgreSQL. A pooler that hands out sessions per transaction cannot carry
// them, so these connections go to PostgreSQL directly, and this is the only file that opens them.
import type pg from 'pg';
import { type Schedule, systemSchedule } from '../clock.ts';
import type { Logger } from '../logging/index.ts';
import { Client } from './client.ts';

export interface DirectConnectionOptions {
  readonly databaseUrl: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly connectTimeoutMs?: number;
}

export interface KeptConnectionOptions extends DirectConnectionOptions {
  readonly logger: Logger;
  /** The channel to listen on. */
  readonly channel: string;
  readonly onMessage: (payload: string | undefined) => void;
  /** Runs on each new connection, after LISTEN, for example to take session locks. */
  readonly onConnected?: (client: pg.Client) => Promise<void>;
  /** From now on messages may be missed, until `isListening` again. */
  readonly onLost?: () => void;
  readonly retryDelayMsMax?: number;
  readonly schedule?: Schedule;
}

export interface KeptConnection {
  readonly isListening: boolean;
  close(): Promise<void>;
}

const retryDelayMs = { first: 250, max: 10_000 } as const;
const checkIntervalMs = 30_000;
const checkTimeoutMs = 10_000;

/** Runs work on a connection of its own. Its session locks end with it. */
export async function withDirectConnection<Result>(
  options: DirectConnectionOptions,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = createClient(options);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Listens on a channel until it is closed, and reconnects when the connection breaks. Resolves after the first attempt. */
export async function keepDirectConnection(options: KeptConnectionOptions): Promise<KeptConnection> {
  const { channel, logger, schedule = systemSchedule } = options;
  const delayMsMax = options.retryDelayMsMax ?? retryDelayMs.max;
  let client: pg.Client | null = null;
  let isListening = false;
  let isClosed = false;
  let delayMs: number = retryDelayMs.first;
  let cancelTimer = () => {};

  async function connect(): Promise<void> {
    const opened = createClient(options, { query_timeout: checkTimeoutMs });
    client = opened;
    opened.on('error', (error) => lose(opened, error));
    opened.on('end', () => lose(opened));
    opened.on('notification', ({ payload }) => options.onMessage(payload));
    try {
      await opened.connect();
      await opened.query(`listen ${channel}`);
      await options.onConnected?.(opened);
      if (client !== opened) return;
      isListening = true;
      delayMs = retryDelayMs.first;
      logger.info({ channel }, 'listening');
      watch(opened);
    } catch (error) {
      lose(opened, error as Error);
    }
  }

  /** A connection that was cut silently looks open for many minutes unless we send a query over it. */
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
    // A broken connection may never end, so do not wait for it.
    lost.end().catch(() => undefined);
    if (isClosed) return;

    logger.warn(
      { err: error, channel, retry_ms: delayMs },
      'lost a direct database connection; reconnecting',
    );
    if (wasListening) options.onLost?.();
    cancelTimer = schedule(() => void connect(), delayMs);
    delayMs = Math.min(delayMs * 2, delayMsMax);
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

function createClient(options: DirectConnectionOptions, limits: pg.ClientConfig = {}): pg.Client {
  const client = new Client({
    connectionString: options.databaseUrl,
    application_name: options.applicationName,
    keepAlive: true,
    connectionTimeoutMillis: options.connectTimeoutMs ?? checkTimeoutMs,
    ...limits,
  });
  // A connection that breaks fails the statement that uses it, or the next one.
  client.on('error', () => undefined);
  return client;
}
