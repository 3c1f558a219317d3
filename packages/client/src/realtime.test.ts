import { REALTIME_CLOSE, type RealtimeEvent } from '@assay/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectRealtime, type RealtimeChannel, type RealtimeState, reconnectDelayMs } from './realtime.ts';
import { queueOf, startLoopbackChannel, startManualSchedule } from './testing/loopback-channel.ts';

const refreshBilling: RealtimeEvent = { event_type: 'refresh_billing', event_metadata: {} };

let server: Awaited<ReturnType<typeof startLoopbackChannel>>;
let clock: ReturnType<typeof startManualSchedule>;
let channel: RealtimeChannel | undefined;

/** The channel's callbacks, in order. */
function connect(getToken: (refused?: string) => Promise<string | undefined> = async () => 'token-1') {
  const told = queueOf<RealtimeEvent | 'gap'>();
  const states = queueOf<RealtimeState>();
  const seenStates: RealtimeState[] = [];
  channel = connectRealtime({
    url: server.url,
    getToken,
    onEvent: told.add,
    onGap: () => told.add('gap'),
    onStateChange: (state) => {
      seenStates.push(state);
      states.add(state);
    },
    schedule: clock.schedule,
    random: () => 0,
  });
  const reach = async (wanted: RealtimeState) => {
    while ((await states.take()) !== wanted);
  };
  return { told, seenStates, reach, channel };
}

beforeEach(async () => {
  server = await startLoopbackChannel();
  clock = startManualSchedule();
});
afterEach(async () => {
  channel?.close();
  await server.stop();
});

describe('opening the channel', () => {
  it('sends the token as the first message and not in the URL', async () => {
    connect();

    const connection = await server.nextConnection();

    expect(await connection.nextMessage()).toEqual({ token: 'token-1' });
    expect(server.url).not.toContain('token-1');
  });

  it('tries again when the token does not come', async () => {
    let asked = 0;
    const { reach } = connect(() => {
      asked += 1;
      return asked === 1 ? new Promise(() => {}) : Promise.resolve('token-2');
    });
    await reach('connecting');

    clock.runAll();
    await reach('waiting');
    clock.runAll();

    expect(await (await server.nextConnection()).nextMessage()).toEqual({ token: 'token-2' });
  });

  it('reports a gap first, because the screen was loaded before the channel listened', async () => {
    const { told } = connect();
    const connection = await server.nextConnection();

    connection.say({ ready: true });

    expect(await told.take()).toBe('gap');
  });

  it('passes on events after the greeting and ignores unknown messages', async () => {
    const { told } = connect();
    const connection = await server.nextConnection();
    connection.say({ ready: true });
    connection.say({ event_type: 'of_a_later_version', event_metadata: {} });
    connection.say({ event_type: 'refresh_billing' });
    connection.say(null);
    connection.say({ heartbeat: true });
    connection.say(refreshBilling);

    expect(await told.take()).toBe('gap');
    expect(await told.take()).toEqual(refreshBilling);
  });

  it('sends a newer token on the open socket', async () => {
    const { channel, reach } = connect();
    const connection = await server.nextConnection();
    await connection.nextMessage();
    connection.say({ ready: true });
    await reach('open');

    channel.renewToken('token-1');
    channel.renewToken('token-2');

    expect(await connection.nextMessage()).toEqual({ token: 'token-2' });
  });

  it('sends a token that was renewed during the greeting', async () => {
    const { channel } = connect();
    const connection = await server.nextConnection();
    await connection.nextMessage();
    channel.renewToken('token-2');
    connection.say({ ready: true });

    expect(await connection.nextMessage()).toEqual({ token: 'token-2' });
  });
});

describe('a lost connection', () => {
  it('is opened again after a wait, and the gap is reported once it is open', async () => {
    const { told, reach } = connect();
    const first = await server.nextConnection();
    first.say({ ready: true });
    await reach('open');
    first.close(1001);
    await reach('waiting');
    expect(clock.delaysMs()).toEqual([250]);

    clock.runAll();
    const second = await server.nextConnection();
    expect(await told.take()).toBe('gap');
    second.say({ ready: true });
    second.say(refreshBilling);

    expect(await told.take()).toBe('gap');
    expect(await told.take()).toEqual(refreshBilling);
  });

  it('waits longer after each failure and starts over after a success', async () => {
    const { reach } = connect();
    for (const delayMs of [250, 500, 1_000]) {
      (await server.nextConnection()).close();
      await reach('waiting');
      expect(clock.delaysMs()).toEqual([delayMs]);
      clock.runAll();
    }
    const connection = await server.nextConnection();
    connection.say({ ready: true });
    await reach('open');
    connection.close();
    await reach('waiting');

    expect(clock.delaysMs()).toEqual([250]);
  });

  it('is closed after two missed heartbeats', async () => {
    const { reach } = connect();
    const silent = await server.nextConnection();
    silent.say({ ready: true, heartbeat_ms: 20_000 });
    await reach('open');
    expect(clock.delaysMs()).toEqual([40_000]);

    clock.runAll();

    await reach('waiting');
    await silent.closed;
  });

  it('is closed when the greeting gets no answer', async () => {
    const { reach } = connect();
    await server.nextConnection();
    expect(clock.delaysMs()).toEqual([10_000]);

    clock.runAll();

    await reach('waiting');
  });

  it('is opened at once on wake', async () => {
    const { reach, channel } = connect();
    (await server.nextConnection()).close();
    await reach('waiting');

    channel.wake();

    await server.nextConnection();
    expect(clock.delaysMs()).toEqual([10_000]);
  });
});

describe('why the server closed', () => {
  it('a refused token: getToken receives it', async () => {
    const asked: (string | undefined)[] = [];
    const { reach } = connect(async (refused) => {
      asked.push(refused);
      return refused === undefined ? 'old' : 'new';
    });
    (await server.nextConnection()).close(REALTIME_CLOSE.unauthorized);
    await reach('waiting');
    clock.runAll();
    const second = await server.nextConnection();

    expect(await second.nextMessage()).toEqual({ token: 'new' });
    expect(asked).toEqual([undefined, 'old']);
  });

  it('too many sockets: the longest wait', async () => {
    const { reach } = connect();
    (await server.nextConnection()).close(REALTIME_CLOSE.tooManySockets);
    await reach('waiting');

    expect(clock.delaysMs()).toEqual([15_000]);
  });

  it('no token: opens no socket until there is one', async () => {
    let token: string | undefined;
    const { reach } = connect(async () => token);
    await reach('waiting');

    token = 'token-1';
    clock.runAll();

    expect(await (await server.nextConnection()).nextMessage()).toEqual({ token: 'token-1' });
  });
});

describe('closing the channel', () => {
  it('closes the socket and opens no other', async () => {
    const { channel, seenStates, reach } = connect();
    const connection = await server.nextConnection();
    connection.say({ ready: true });
    await reach('open');

    channel.close();
    await connection.closed;

    expect(clock.delaysMs()).toEqual([]);
    expect(seenStates).toEqual(['connecting', 'open', 'closed']);
  });

  it('also while waiting for the next attempt', async () => {
    const { channel, reach } = connect();
    (await server.nextConnection()).close();
    await reach('waiting');

    channel.close();

    expect(clock.delaysMs()).toEqual([]);
  });
});

describe('reconnectDelayMs', () => {
  it('doubles from half a second to half a minute, with the second half random', () => {
    const range = (attempt: number) => [
      reconnectDelayMs(attempt, () => 0),
      reconnectDelayMs(attempt, () => 1),
    ];
    expect([0, 1, 6, 50].map(range)).toEqual([
      [250, 500],
      [500, 1_000],
      [15_000, 30_000],
      [15_000, 30_000],
    ]);
  });
});
