import type { Connection as CallConnection, RealtimeState, WaitReason } from '@assay/client';

/** What keeps the page from being up to date, the worst of it if several do. */
export type ConnectionTrouble = 'offline' | WaitReason | 'no_live_updates';

/** What the page knows of its connection to the server. */
export interface Connection {
  subscribe(listener: () => void): () => void;
  trouble(): ConnectionTrouble | undefined;
  /** False once events have failed to arrive for a while: the page has to ask instead. */
  isLive(): boolean;
  isOnline(): boolean;
  noteChannel(state: RealtimeState): void;
  /** How calls wait for the connection. */
  readonly forCalls: CallConnection;
}

/** As TanStack Query's `onlineManager` tells it. */
interface OnlineState {
  isOnline(): boolean;
  subscribe(listener: () => void): () => void;
}

/** A call fails when the server has not answered for this long. */
const ANSWER_WITHIN_MS = 60_000;
/** A channel that opens again within this time has not been missed. */
const CHANNEL_GRACE_MS = 5_000;

export function createConnection(online: OnlineState): Connection {
  const listeners = new Set<() => void>();
  const waitingCalls: Record<WaitReason, number> = { unreachable: 0, busy: 0 };
  let isLive = true;
  let graceTimer: ReturnType<typeof setTimeout> | undefined;

  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  online.subscribe(tell);

  const setLive = (next: boolean) => {
    clearTimeout(graceTimer);
    graceTimer = undefined;
    if (isLive === next) return;
    isLive = next;
    tell();
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    trouble() {
      if (!online.isOnline()) return 'offline';
      if (waitingCalls.unreachable > 0) return 'unreachable';
      if (waitingCalls.busy > 0) return 'busy';
      return isLive ? undefined : 'no_live_updates';
    },
    isLive: () => isLive,
    isOnline: () => online.isOnline(),
    noteChannel(state) {
      // A channel that was closed on purpose is not missing.
      if (state === 'open' || state === 'closed') return setLive(true);
      graceTimer ??= setTimeout(() => setLive(false), CHANNEL_GRACE_MS);
    },
    forCalls: {
      answerWithinMs: ANSWER_WITHIN_MS,
      isOnline: () => online.isOnline(),
      untilOnline: (signal) => untilOnline(online, signal),
      onWaiting(reason) {
        waitingCalls[reason] += 1;
        tell();
        return () => {
          waitingCalls[reason] -= 1;
          tell();
        };
      },
    },
  };
}

function untilOnline(online: OnlineState, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (online.isOnline()) return resolve();
    const stop = () => {
      unsubscribe();
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      stop();
      reject(signal?.reason);
    };
    const unsubscribe = online.subscribe(() => {
      if (!online.isOnline()) return;
      stop();
      resolve();
    });
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
  });
}
