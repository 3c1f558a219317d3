import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openFileStore } from '../../platform/files/open-file-store.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { sweepValidations } from '../verification/sweep.ts';

const clock = movableClock();
const path = '/validations/lists_bulk/validation';
const room = 520_000;

let api: TestApi;
/** Another process on the same database and the same files. */
let twin: TestApi;
beforeAll(async () => {
  const env = { UPLOAD_STORE_BYTES: String(room), UPLOADS_PER_CUSTOMER: '5' };
  api = await startTestApi({ clock, env });
  twin = await startTestApi({ clock, beside: api, env: { ...env, ASSAY_FILES: api.filesFolder } });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await twin.close();
  await api.close();
});

const reservationsLeft = async () =>
  (await api.database.db.selectFrom('upload_reservations').select('id').execute()).length;
const filesKept = async () =>
  (await readdir(api.filesFolder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    .length;

const formHead = '--x\r\nContent-Disposition: form-data; name="list_raw"; filename="a.csv"\r\n\r\nemail\r\n';

/** Sends the beginning of a large file, and then nothing. */
function beginUpload(token: string, target = path): Socket {
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const head = [
    `POST /api${target} HTTP/1.1`,
    'Host: assay.test',
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 100000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${formHead}`);
  return socket;
}

/** Sends the beginning of a long list of emails, and then nothing. */
function beginJsonList(token: string): Socket {
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const head = [
    'POST /api/validations/lists HTTP/1.1',
    'Host: assay.test',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 100000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{"emails": [`);
  return socket;
}

/** Moves the clock on until the answer has come. */
async function advanceUntil(answer: Promise<unknown>): Promise<void> {
  let isAnswered = false;
  answer.then(() => {
    isAnswered = true;
  });
  await expect
    .poll(() => {
      clock.advance({ seconds: 30 });
      return isAnswered;
    })
    .toBe(true);
}

function preview(process: TestApi, token: string, contents: string) {
  const form = new FormData();
  form.append('list_raw', new Blob([contents]), 'people.csv');
  return process.call('POST', path, { token, body: form });
}

/** Signs the customer up first: many first calls at once would wait for each other. */
async function newCustomer(): Promise<string> {
  const token = await api.tokenFor();
  await api.call('GET', '/users/me', { token });
  return token;
}

describe('an upload that trickles', () => {
  it('ends with 408 request_too_slow and leaves no file and no reserved room', async () => {
    const keptBefore = await filesKept();
    const socket = beginUpload(await newCustomer());
    await expect.poll(reservationsLeft).toBe(1);
    const answer = text(socket);
    await advanceUntil(answer);

    expect(await answer).toMatch(/^HTTP\/1.1 408 .*"code":"request_too_slow"/s);
    await expect.poll(reservationsLeft).toBe(0);
    expect(await filesKept()).toBe(keptBefore);
  });

  it('ends with a JSON body too', async () => {
    const socket = beginJsonList(await newCustomer());
    const answer = once(socket, 'data');
    await advanceUntil(answer);

    expect(String((await answer)[0])).toMatch(/^HTTP\/1.1 408 /);
  });

  it('counts towards the five uploads of a customer; 429 for the sixth', async () => {
    const [token, neighbour] = [await newCustomer(), await newCustomer()];
    const open = Array.from({ length: 5 }, () => beginUpload(token));
    await expect.poll(reservationsLeft).toBe(5);

    const refused = await preview(api, token, 'email\njane@exists.test\n');

    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('10');
    expect(refused.json().errors[0].message).toContain('too many files or long lists at once');
    // Long enough for a reading thread: none of them waits for a file that arrives slowly.
    const file = `email\n${'jane@exists.test\n'.repeat(1_000)}`;
    expect((await preview(api, neighbour, file)).statusCode).toBe(200);

    open[0]?.destroy();
    await expect
      .poll(async () => (await preview(api, token, 'email\njane@exists.test\n')).statusCode)
      .toBe(200);
  });
});

describe('long lists of emails in JSON', () => {
  const send = (token: string, emails: string[]) =>
    api.call('POST', '/validations/lists', { token, body: { emails } });
  const long = Array.from({ length: 5_000 }, (_, at) => `jane.${at}@exists.test`);

  it('count like files while they arrive, unless they are short', async () => {
    const token = await newCustomer();
    const open = Array.from({ length: 6 }, () => beginJsonList(token));

    // One of the six is the sixth. After its answer the others hold every place.
    const answers = open.map(async (socket) => String((await once(socket, 'data'))[0]));
    expect(await Promise.race(answers)).toMatch(/^HTTP\/1.1 429 /);
    expect((await send(token, long)).statusCode).toBe(429);
    expect((await send(token, ['jane@exists.test'])).statusCode).toBe(201);
  });
});

describe('the room for files', () => {
  it('holds for files that arrive at two processes at the same time', async () => {
    const token = await newCustomer();
    const contents = `email\n${'jane@exists.test\n'.repeat(6_000)}`.slice(0, 100_000);
    const processes = [api, twin, api, twin, api, twin, api, twin, api];

    const answers = await Promise.all(processes.map((process) => preview(process, token, contents)));

    const codes = answers.map((answer) => answer.json().errors?.[0].code ?? 'stored').sort();
    expect(codes).toEqual([...Array(5).fill('stored'), ...Array(4).fill('uploads_full')]);
    const { rows } = await api.database.pool.query(
      `select sum(byte_count) as stored, count(*) as count from uploads where byte_count = 100000`,
    );
    expect(rows).toEqual([{ stored: '500000', count: 5 }]);
    await expect.poll(reservationsLeft).toBe(0);
  });

  it('is given back after a crash, and the partial file is removed', async () => {
    const token = await newCustomer();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
    const id = randomUUID();
    await mkdir(join(api.filesFolder, 'uploads', ownerId), { recursive: true });
    await writeFile(join(api.filesFolder, 'uploads', ownerId, `${id}.part`), 'email\n');
    const expires_at = new Date(clock.now().getTime() + 1_000);
    await api.database.db
      .insertInto('upload_reservations')
      .values({ owner_id: ownerId, id, byte_count: room, expires_at })
      .execute();
    const file = 'email\njane@exists.test\n';
    expect((await preview(api, token, file)).json().errors[0].code).toBe('uploads_full');

    clock.advance({ seconds: 2 });
    expect((await preview(api, token, file)).statusCode).toBe(200);
    const files = await openFileStore(api.config);
    await sweepValidations({ db: api.database.db, clock, files }, new AbortController().signal);

    expect(await reservationsLeft()).toBe(0);
    expect(await readdir(join(api.filesFolder, 'uploads', ownerId))).not.toContain(`${id}.part`);
  });
});
