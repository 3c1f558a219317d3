import { REALTIME_CLOSE, REALTIME_EVENTS, type RealtimeEvent, type RealtimeReady } from '@assay/contract';

/** Runs a task later and returns a function that cancels it; tests pass their own clock. */
export type Schedule = (task: () => void, delayMs: number) => () => void;

/** `waiting` between attempts, `connecting` until the server is ready, `open` while events arrive. */
export type RealtimeState = 'waiting' | 'connecting' | 'open' | 'closed';

export interface RealtimeOptions {
  /** The channel's URL, `wss://…/api/realtime`. */
  readonly url: string;
  /** Returns a valid token, newer than the refused one if there is one. */
  readonly getToken: (refused?: string) => Promise<string | undefined>;
  readonly onEvent: (event: RealtimeEvent) => void;
  /**
   * The channel is open, and the screen may have missed events: reload it.
   * Called every time, also the first, because the screen was loaded before the channel listened.
   */
  readonly onGap: () => void;
  readonly onStateChange?: (state: RealtimeState) => void;
  readonly WebSocket?: typeof globalThis.WebSocket;
  readonly schedule?: Schedule;
  readonly random?: () => number;
}

export interface RealtimeChannel {
  /** Sends a newer token on the open socket, which extends its life. */
  renewToken(token: string): void;
  /** Ends a wait between two attempts, for instance because the machine is online again. */
  wake(): void;
  close(): void;
}

const tokenTimeoutMs = 30_000;
const greetingTimeoutMs = 10_000;
const firstDelayMs = 500;
const lastDelayMs = 30_000;

/** Half fixed, half random, doubling, so that a thousand tabs do not reconnect at the same moment. */
export function reconnectDelayMs(attempt: number, random: () => number): number {
  const ceiling = Math.min(lastDelayMs, firstDelayMs * 2 ** attempt);
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

/** A lasting connection to the server: opens, greets, watches and reopens until it is closed. */
export function connectRealtime(options: RealtimeOptions): RealtimeChannel {
  const schedule = options.schedule ?? scheduleTimeout;
  const random = options.random ?? Math.random;
  const Socket = options.WebSocket ?? globalThis.WebSocket;

  let state: RealtimeState | undefined;
  let socket: WebSocket | undefined;
  let token: string | undefined;
  let saidToken: string | undefined;
  let refusedToken: string | undefined;
  let attempt = 0;
  let silenceMs: number | undefined;
  let cancelTimer = () => {};

  const enter = (next: RealtimeState) => {
    if (state === next) return;
    state = next;
    options.onStateChange?.(next);
  };

  const startTimer = (task: () => void, delayMs: number) => {
    cancelTimer();
    cancelTimer = schedule(task, delayMs);
  };

  async function open(): Promise<void> {
    enter('connecting');
    const fresh = await tokenInTime();
    if (state !== 'connecting') return;
    if (fresh === undefined) return waitAndReopen();

    token = fresh;
    const opened = new Socket(options.url);
    socket = opened;
    startTimer(() => lose(opened), greetingTimeoutMs);
    opened.addEventListener('open', () => greet(opened));
    opened.addEventListener('message', (message) => hear(opened, message.data));
    opened.addEventListener('close', ({ code }) => lose(opened, code));
  }

  /** Undefined if there is none, or if a renewal does not end: the next attempt asks again. */
  function tokenInTime(): Promise<string | undefined> {
    return new Promise((resolve) => {
      startTimer(() => resolve(undefined), tokenTimeoutMs);
      options.getToken(refusedToken).then(resolve, () => resolve(undefined));
    });
  }

  function greet(opened: WebSocket): void {
    opened.send(JSON.stringify({ token }));
    saidToken = token;
  }

  function hear(from: WebSocket, data: unknown): void {
    if (from !== socket) return;
    const message = readMessage(data);
    if (message.ready && state !== 'open') {
      silenceMs = message.heartbeat_ms ? message.heartbeat_ms * 2 : undefined;
      becomeReady();
      // A newer token may have arrived between the greeting and its answer.
      if (saidToken !== token) greet(from);
    }

    cancelTimer();
    if (silenceMs !== undefined) startTimer(() => lose(from), silenceMs);

    if (isKnownEvent(message) && state === 'open') options.onEvent(message);
  }

  function becomeReady(): void {
    attempt = 0;
    refusedToken = undefined;
    enter('open');
    options.onGap();
  }

  /** For a socket that closed or fell silent: waiting for a close frame could take minutes. */
  function lose(lost: WebSocket, code?: number): void {
    if (lost !== socket) return;
    socket = undefined;
    lost.close();
    if (code === REALTIME_CLOSE.unauthorized) refusedToken = token;
    if (code === REALTIME_CLOSE.tooManySockets) attempt = Number.MAX_SAFE_INTEGER;
    waitAndReopen();
  }

  function waitAndReopen(): void {
    enter('waiting');
    startTimer(() => void open(), reconnectDelayMs(attempt, random));
    attempt += 1;
  }

  void open();

  return {
    renewToken(newer) {
      if (newer === token) return;
      token = newer;
      if (socket && state === 'open') greet(socket);
    },
    wake() {
      if (state !== 'waiting') return;
      cancelTimer();
      void open();
    },
    close() {
      enter('closed');
      cancelTimer();
      socket?.close();
      socket = undefined;
    },
  };
}

const scheduleTimeout: Schedule = (task, delayMs) => {
  const timer = setTimeout(task, delayMs);
  return () => clearTimeout(timer);
};

/** Trusts the server, as calls do with their answers: constructing a schema takes long on a phone. */
function readMessage(data: unknown): Partial<RealtimeReady & RealtimeEvent> {
  try {
    return JSON.parse(String(data)) ?? {};
  } catch {
    return {};
  }
}

/** False for events of a later version. */
const isKnownEvent = (message: Partial<RealtimeEvent>): message is RealtimeEvent =>
  REALTIME_EVENTS.some((name) => name === message.event_type) && typeof message.event_metadata === 'object';
