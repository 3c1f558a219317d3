import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { REALTIME_CLOSE, type RealtimeEvent } from '@assay/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { publishEvent } from '../../platform/events/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { greetRealtime, openRealtime, type RealtimeClient } from '../../testing/realtime-client.ts';

const progress = (value: number): RealtimeEvent => ({
  event_type: 'list_verification_complete',
  event_metadata: { list_id: 'l1', progress: value },
});

describe('the realtime channel', () => {
  const clock = movableClock(new Date());
  const clients: RealtimeClient[] = [];
  let api: TestApi;
  let secondApi: TestApi;

  beforeAll(async () => {
    api = await startTestApi({ clock, env: { REALTIME_SOCKETS_PER_CUSTOMER: '3' } });
    secondApi = await startTestApi({ clock, beside: api });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.terminate();
    await expect.poll(async () => (await socketCount(api)) + (await socketCount(secondApi))).toBe(0);
  });
  afterAll(async () => {
    await secondApi.close();
    await api.close();
  });

  const socketCount = async (of: TestApi) => {
    const text = await of.metrics.registry.getSingleMetricAsString('assay_realtime_sockets');
    return Number(text.trim().split(' ').at(-1));
  };
  const open = async (on = api, headers = {}) => {
    const client = await openRealtime(on, headers);
    clients.push(client);
    return client;
  };
  const greet = async (token: string, on = api) => {
    const client = await greetRealtime(on, token);
    clients.push(client);
    return client;
  };
  const shortTokenFor = (sub: string) =>
    api.issuer.tokenFor({ sub, email: 'ada@example.com' }, { issuedAt: clock.now(), lifeSeconds: 20 });
  const signUp = async (sub: string) => {
    const token = await api.tokenFor({ sub });
    const { id } = (await api.call('GET', '/users/me', { token })).json();
    return { token, userId: id as string };
  };

  it('answers the first message, the token, with the heartbeat interval', async () => {
    const { token } = await signUp('ada');
    const client = await open();
    client.say({ token });

    expect(await client.next()).toEqual({ ready: true, heartbeat_ms: 30_000 });
  });

  it('sends an event to every tab of its customer in every process, and to no other customer', async () => {
    const ada = await signUp('ada');
    const bob = await signUp('bob');
    const adasTabs = [await greet(ada.token), await greet(ada.token), await greet(ada.token, secondApi)];
    const bobsTab = await greet(bob.token, secondApi);

    await publishEvent(api.database.db, ada.userId, progress(40));
    await publishEvent(api.database.db, bob.userId, progress(7));

    for (const tab of adasTabs) expect(await tab.next()).toEqual(progress(40));
    expect(await bobsTab.next()).toEqual(progress(7));
  });

  it('sends an event only when its transaction commits', async () => {
    const { token, userId } = await signUp('ada');
    const client = await greet(token);

    const rolledBack = api.database.db.transaction().execute(async (tx) => {
      await publishEvent(tx, userId, progress(1));
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await api.database.db.transaction().execute((tx) => publishEvent(tx, userId, progress(2)));

    expect(await client.next()).toEqual(progress(2));
  });

  it('ignores notifications that are not events', async () => {
    const { token, userId } = await signUp('ada');
    const client = await greet(token);
    for (const noise of ['nonsense', '', 'null']) {
      await api.database.pool.query(`select pg_notify('assay_events', $1)`, [noise]);
    }
    await publishEvent(api.database.db, userId, progress(5));

    expect(await client.next()).toEqual(progress(5));
  });

  it('throws for an event that is too large to publish', async () => {
    const event = { ...progress(1), event_metadata: { list_id: 'x'.repeat(8_000) } };

    await expect(publishEvent(api.database.db, 'ada', event)).rejects.toThrow(/too large/);
  });

  it('closes a socket whose token is not accepted', async () => {
    const client = await open();
    client.say({ token: await api.tokenFor({ aud: 'https://other.test' }) });

    expect(await client.closed()).toBe(REALTIME_CLOSE.unauthorized);
  });

  it.each(['nonsense', '{"token":""}', '{"token":"a","user":"b"}', '[]'])(
    'closes a socket that says %s',
    async (message) => {
      const client = await open();
      client.say(message);

      expect(await client.closed()).toBe(1007);
    },
  );

  it('closes a socket that sends a message longer than a token', async () => {
    const client = await open();
    client.say({ token: 'x'.repeat(20_000) });

    expect(await client.closed()).toBe(1009);
  });

  it('closes a socket that does not greet in time', async () => {
    const client = await open();
    clock.advance({ seconds: 11 });

    expect(await client.closed()).toBe(REALTIME_CLOSE.greetingLate);
  });

  it('closes a socket when its token expires', async () => {
    const client = await greet(await shortTokenFor('ada'));
    clock.advance({ seconds: 21 });

    expect(await client.closed()).toBe(REALTIME_CLOSE.tokenEnded);
  });

  it('keeps a socket open that sends a newer token', async () => {
    const client = await greet(await shortTokenFor('ada'));
    client.say({ token: await api.tokenFor({ sub: 'ada' }) });
    expect(await client.next()).toMatchObject({ ready: true });

    clock.advance({ seconds: 21 });
    const { userId } = await signUp('ada');
    await publishEvent(api.database.db, userId, progress(3));
    expect(await client.next()).toEqual(progress(3));
  });

  it('closes a socket that sends another customer’s token', async () => {
    const { token } = await signUp('ada');
    const client = await greet(token);
    client.say({ token: await api.tokenFor({ sub: 'eve' }) });

    expect(await client.closed()).toBe(REALTIME_CLOSE.unauthorized);
  });

  it('closes the sockets of a signed-out session, in every process, and no others', async () => {
    const { userId } = await signUp('ada');
    const tokenOf = (sid: string) => api.tokenFor({ sub: 'ada', sid });
    const [own, other] = [await tokenOf('closed'), await tokenOf('living')];
    const ended = [await greet(own), await greet(own, secondApi)];
    const living = await greet(other);

    await api.call('DELETE', '/users/me/sessions/current', { token: own });

    for (const client of ended) expect(await client.closed()).toBe(REALTIME_CLOSE.unauthorized);
    await publishEvent(api.database.db, userId, progress(6));
    expect(await living.next()).toEqual(progress(6));
  });

  it('closes the sockets of a deleted account, in every process', async () => {
    const { token } = await signUp('leaver');
    const clientsOfLeaver = [await greet(token), await greet(token, secondApi)];

    expect((await api.call('DELETE', '/users/me', { token })).statusCode).toBe(204);

    for (const client of clientsOfLeaver) expect(await client.closed()).toBe(REALTIME_CLOSE.unauthorized);
  });

  it('limits the sockets of one customer, and accepts another when one closes', async () => {
    const { token } = await signUp('ada');
    const first = await greet(token);
    await greet(token);
    await greet(token);
    const fourth = await open();
    fourth.say({ token });
    expect(await fourth.closed()).toBe(REALTIME_CLOSE.tooManySockets);

    first.socket.terminate();
    await expect.poll(() => socketCount(api)).toBe(2);
    expect(await greet(token)).toBeDefined();
  });

  it('sends a message at every heartbeat, and closes a socket that does not answer', async () => {
    const { token } = await signUp('ada');
    const client = await greet(token);
    const pinged = new Promise((resolve) => client.socket.once('ping', resolve));
    clock.advance({ seconds: 25 });
    expect(await client.next()).toEqual({ heartbeat: true });
    await pinged;

    // Two heartbeats at the same moment leave no time for an answer to the first.
    clock.advance({ seconds: 50 });
    expect(await client.closed()).toBe(1006);
  });

  it('closes a socket that stops reading, before unread events fill the memory', async () => {
    const { token, userId } = await signUp('ada');
    const client = await greet(token);
    client.socket.pause();
    const event = { ...progress(1), event_metadata: { list_id: 'x'.repeat(7_000) } };

    const publishMore = async () => {
      await Promise.all(Array.from({ length: 100 }, () => publishEvent(api.database.db, userId, event)));
      return socketCount(api);
    };
    await expect.poll(publishMore, { interval: 1 }).toBe(0);
  });

  it('403 for another origin, open for our own', async () => {
    await expect(open(api, { origin: 'https://evil.test' })).rejects.toThrow('403');
    expect(await open(api, { origin: 'https://assay.test' })).toBeDefined();
  });

  it('is the only path that upgrades to a socket; other paths answer normally', async () => {
    await open();
    const { port } = api.app.server.address() as AddressInfo;
    const answerTo = async (path: string) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
      const [error] = await once(socket, 'error');
      return error.message;
    };

    expect(await answerTo('/health/live')).toContain('200');
    expect(await answerTo('/api/users/me')).toContain('401');
  });

  it('426 without an upgrade', async () => {
    const answer = await api.call('GET', '/realtime');

    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([426, 'upgrade_required']);
  });

  it('closes every socket after missed events, so that clients reload, and then listens again', async () => {
    const { token, userId } = await signUp('ada');
    const client = await greet(token);
    await cutEventLines(api);
    expect(await client.closed()).toBe(REALTIME_CLOSE.eventsMissed);

    const early = await open();
    early.say({ token });
    expect(await early.closed()).toBe(1013);

    clock.advance({ seconds: 1 });
    let again = client;
    const tryAgain = async () => {
      again = await open();
      again.say({ token });
      return Promise.race([again.next(), again.closed()]);
    };
    await expect.poll(tryAgain).toMatchObject({ ready: true });
    await publishEvent(api.database.db, userId, progress(4));
    expect(await again.next()).toEqual(progress(4));
  });

  it('1001 when the server stops', async () => {
    const thirdApi = await startTestApi({ beside: api });
    const client = await greet((await signUp('ada')).token, thirdApi);
    const closed = client.closed();
    await thirdApi.close();

    expect(await closed).toBe(1001);
  });
});

/** Breaks the connections that events arrive on, as a restarted database would. */
async function cutEventLines({ database }: TestApi): Promise<void> {
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'assay api events' and datname = current_database()`,
  );
}
