import {
  REALTIME_CLOSE,
  type RealtimeEvent,
  realtimeEventSchema,
  realtimeReadySchema,
} from '@assay/contract';

/** Runs a task later and gives the way to call it off; tests give a clock of their own. */
export type Schedule = (task: () => void, delayMs: number) => () => void;

/** `waiting` between attempts, `connecting` until the server is ready, `open` while events arrive. */
export type RealtimeState = 'waiting' | 'connecting' | 'open' | 'closed';

export interface RealtimeOptions {
  /** The channel's address, `wss://…/api/realtime`. */
  readonly url: string;
  /** A valid token, newer than the one that the server refused if it refused one. */
  readonly getToken: (refused?: string) => Promise<string | undefined>;
  readonly onEvent: (event: RealtimeEvent) => void;
  /**
   * The line stands, and what was loaded before may be out of date by an event that nobody heard: reload what is shown.
   * Called every time, the first included, since what is on the screen by then was read before anyone listened.
   */
  readonly onGap: () => void;
  readonly onStateChange?: (state: RealtimeState) => void;
  readonly WebSocket?: typeof globalThis.WebSocket;
  readonly schedule?: Schedule;
  readonly random?: () => number;
}

export interface RealtimeChannel {
  /** Hands the open socket a newer token, so that it outlives the first one. */
  renewToken(token: string): void;
  /** Ends a wait between two attempts, for instance because the machine is online again. */
  wake(): void;
  close(): void;
}

const greetingTimeoutMs = 10_000;
const firstDelayMs = 500;
const lastDelayMs = 30_000;

/** Half fixed, half random, doubling: a thousand tabs that lost one server do not come back in the same instant. */
export function reconnectDelayMs(attempt: number, random: () => number): number {
  const ceiling = Math.min(lastDelayMs, firstDelayMs * 2 ** attempt);
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

/** One lasting line to the server: opened, greeted, watched, and opened again for as long as nobody closes it. */
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
    const fresh = await options.getToken(refusedToken).catch(() => undefined);
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

  function greet(opened: WebSocket): void {
    opened.send(JSON.stringify({ token }));
    saidToken = token;
  }

  function hear(from: WebSocket, data: unknown): void {
    if (from !== socket) return;
    const message = parseOrNothing(data);
    const ready = realtimeReadySchema.safeParse(message);
    if (ready.success && state !== 'open') {
      silenceMs = ready.data.heartbeat_ms === undefined ? undefined : ready.data.heartbeat_ms * 2;
      becomeReady();
      // A newer token may have come between the greeting and its answer.
      if (saidToken !== token) greet(from);
    }

    cancelTimer();
    if (silenceMs !== undefined) startTimer(() => lose(from), silenceMs);

    // An event of a later version is not an error: this client has nothing to do about it.
    const event = realtimeEventSchema.safeParse(message);
    if (event.success && state === 'open') options.onEvent(event.data);
  }

  function becomeReady(): void {
    attempt = 0;
    refusedToken = undefined;
    enter('open');
    options.onGap();
  }

  /** A line that is closed, or so silent that it must be dead: waiting for its goodbye could take minutes. */
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

function parseOrNothing(data: unknown): unknown {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
