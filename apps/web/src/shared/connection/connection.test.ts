import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Connection, createConnection } from './connection.ts';

let isOnline: boolean;
let onlineListeners: Set<() => void>;
let connection: Connection;
let told: number;

beforeEach(() => {
  isOnline = true;
  onlineListeners = new Set();
  vi.useFakeTimers();
  told = 0;
  const online = {
    isOnline: () => isOnline,
    subscribe(listener: () => void) {
      onlineListeners.add(listener);
      return () => onlineListeners.delete(listener);
    },
  };
  connection = createConnection(online);
  connection.subscribe(() => {
    told += 1;
  });
});
afterEach(() => void vi.useRealTimers());

const setOnline = (next: boolean) => {
  isOnline = next;
  for (const listener of [...onlineListeners]) listener();
};
const endGrace = () => void vi.advanceTimersByTime(5_000);

describe('live updates', () => {
  it('are on until the channel has been down for a while', () => {
    connection.noteChannel('connecting');
    connection.noteChannel('waiting');
    expect([connection.isLive(), connection.trouble()]).toEqual([true, undefined]);

    endGrace();
    expect([connection.isLive(), connection.trouble()]).toEqual([false, 'no_live_updates']);
    connection.noteChannel('connecting');
    expect(connection.isLive()).toBe(false);

    connection.noteChannel('open');
    expect([connection.isLive(), connection.trouble()]).toEqual([true, undefined]);
    expect(told).toBe(2);
  });

  it.each(['open', 'closed'] as const)('stay on when the channel is %s before the while is over', (state) => {
    connection.noteChannel('waiting');
    connection.noteChannel(state);

    expect(vi.getTimerCount()).toBe(0);
    expect(connection.isLive()).toBe(true);
  });
});

describe('the notice', () => {
  it('is the worst: offline, then unreachable, then busy', () => {
    connection.noteChannel('waiting');
    endGrace();
    const endBusy = connection.forCalls.onWaiting('busy');
    expect(connection.trouble()).toBe('busy');
    const endUnreachable = connection.forCalls.onWaiting('unreachable');
    expect(connection.trouble()).toBe('unreachable');
    setOnline(false);
    expect(connection.trouble()).toBe('offline');

    setOnline(true);
    endUnreachable();
    endBusy();
    expect(connection.trouble()).toBe('no_live_updates');
  });
});

describe('a call that waits offline', () => {
  it('continues when the browser is online again', async () => {
    setOnline(false);
    const waiting = connection.forCalls.untilOnline(undefined);
    setOnline(true);

    await expect(waiting).resolves.toBeUndefined();
    expect(onlineListeners.size).toBe(1);
  });

  it('ends when it is aborted', async () => {
    setOnline(false);
    const aborting = new AbortController();
    const waiting = connection.forCalls.untilOnline(aborting.signal);
    aborting.abort(new Error('left the page'));

    await expect(waiting).rejects.toThrow('left the page');
    expect(onlineListeners.size).toBe(1);
  });
});
