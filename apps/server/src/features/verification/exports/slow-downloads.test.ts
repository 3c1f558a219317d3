import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { ValidationList } from '@assay/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ clock, env: { DOWNLOADS_PER_CUSTOMER: '5' } });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api.close());

interface LongList {
  readonly token: string;
  readonly listId: string;
  readonly path: string;
}

/** A finished list whose rows have the given length, written as a worker would leave it. */
async function longList({ rowCount, rowLength }: { rowCount: number; rowLength: number }): Promise<LongList> {
  const token = await api.tokenFor();
  const made = await api.call('POST', '/validations/lists', {
    token,
    body: { emails: ['jane@exists.test'] },
  });
  const { id: listId } = made.json<ValidationList>();
  const { db } = api.database;
  await sql`
    insert into list_rows (owner_id, list_id, row_number, cells, email_address)
    select owner_id, id, number, number || ',' || repeat('x', ${rowLength}::integer), number || '@exists.test'
    from lists, generate_series(2, ${rowCount}::integer) as number where id = ${listId}`.execute(db);
  await sql`
    insert into list_results (owner_id, list_id, row_number, verdict, reason, checked_at)
    select owner_id, list_id, row_number, 'VALID', 'mailbox_accepted', now() from list_rows
    where list_id = ${listId}`.execute(db);
  const order = await api.call('POST', `/validations/lists/${listId}/export?status=VALID`, { token });
  const { pathname, search } = new URL(order.json().download_link);
  return { token, listId, path: pathname + search };
}

/** More than all buffers between the server and a client that does not read. */
const unsentList = () => longList({ rowCount: 2_000, rowLength: 8_000 });

const portOf = () => (api.app.server.address() as AddressInfo).port;
const urlOf = (path: string) => `http://127.0.0.1:${portOf()}${path}`;

/** Asks for a file, sees its first bytes, and reads no further. */
async function openUnread(path: string): Promise<Socket> {
  const socket = connect(portOf(), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: assay.test\r\n\r\n`);
  const [first] = await once(socket, 'data');
  socket.pause();
  expect(String(first)).toContain('HTTP/1.1 200');
  return socket;
}

describe('a download whose client does not read', () => {
  it('holds no database connection, so that ten of them leave all ten free', async () => {
    const lists = [await unsentList(), await unsentList()];
    await Promise.all(lists.flatMap(({ path }) => Array.from({ length: 5 }, () => openUnread(path))));

    const { pool } = api.database;
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.call('GET', '/users/me', { token: lists[0]?.token ?? '' })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
  });

  it('counts towards the five downloads of a customer; 429 for the sixth', async () => {
    const [list, neighbour] = [await unsentList(), await unsentList()];
    const [first] = await Promise.all(Array.from({ length: 5 }, () => openUnread(list.path)));

    const refused = await fetch(urlOf(list.path));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({
      errors: [{ code: 'too_many_requests', message: expect.stringContaining('too many downloads') }],
    });
    await openUnread(neighbour.path);

    first?.destroy();
    await expect
      .poll(async () => (await api.app.inject({ method: 'HEAD', url: list.path })).statusCode)
      .toBe(200);
  });

  it('of a shared link takes no place of its owner, of another link or of another network', async () => {
    const list = await unsentList();
    const share = async () => {
      const made = await api.call('POST', `/validations/lists/${list.listId}/links`, {
        token: list.token,
        body: { status: ['VALID'], days: 1 },
      });
      const { pathname, search } = new URL(made.json().url);
      return pathname + search;
    };
    const [shared, other] = [await share(), await share()];
    await Promise.all([openUnread(shared), openUnread(shared)]);

    expect((await fetch(urlOf(shared))).status).toBe(429);
    await openUnread(other);
    await Promise.all(Array.from({ length: 5 }, () => openUnread(list.path)));
    const elsewhere = await api.app.inject({ method: 'HEAD', url: shared, remoteAddress: '203.0.113.9' });
    expect(elsewhere.statusCode).toBe(200);
  });

  it('ends after 30 seconds in which its client reads nothing', async () => {
    const { path } = await unsentList();
    const connected = once(api.app.server, 'connection');
    const socket = await openUnread(path);
    const [serverSide] = (await connected) as [Socket];

    await expect
      .poll(() => {
        clock.advance({ seconds: 30 });
        return serverSide.destroyed;
      })
      .toBe(true);
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
  });
});

describe('a download', () => {
  it('gives long rows whole and in order, in pages that fit in memory', async () => {
    const { path } = await longList({ rowCount: 16, rowLength: 900_000 });

    const lines = (await (await fetch(urlOf(path))).text()).trimEnd().split('\n');

    expect(lines.slice(2).map((line) => line.split(',', 1)[0])).toEqual(
      Array.from({ length: 15 }, (_, at) => String(at + 2)),
    );
    expect(new Set(lines.slice(2).map((line) => line.length - line.indexOf(',')))).toEqual(
      new Set([900_000 + ',VALID,mailbox_accepted,,,,'.length]),
    );
  });

  it.each(['identity', 'gzip'])(
    'breaks off when its list is deleted meanwhile, instead of ending as if it were whole (%s)',
    async (encoding) => {
      const { token, listId, path } = await unsentList();
      const answer = await fetch(urlOf(path), { headers: { 'accept-encoding': encoding } });
      await api.call('DELETE', `/validations/lists/${listId}`, { token });

      await expect(answer.text()).rejects.toThrow();
    },
  );
});
