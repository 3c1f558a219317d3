import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import type { FileStore } from '../../platform/files/file-store.ts';
import { createFolderStore } from '../../platform/files/folder-store.ts';
import { writeWholeFile } from '../../platform/files/write-whole-file.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { testHttpServer } from '../../testing/http-server.ts';
import { readFileForm } from './read-upload.ts';
import { storeText } from './stored-file.ts';

const previewPath = '/validations/lists_bulk/validation';
const createPath = '/validations/lists_bulk';

const csv = (contents = 'email\njane@exists.test\n') => new Blob([contents]);
type Part = readonly [name: string, value: string | Blob];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'people.csv');
  }
  return form;
}
const send = async (path: string, ...parts: Part[]) =>
  api.call('POST', path, { token: await api.tokenFor(), body: formOf(parts) });

/** Files in the store and uploads that are remembered, of all customers of this file. */
async function countKept(): Promise<number> {
  const entries = await readdir(api.filesFolder, { recursive: true, withFileTypes: true });
  const uploads = await api.database.db.selectFrom('uploads').select('id').execute();
  return entries.filter((entry) => entry.isFile()).length + uploads.length;
}

it('503 storage_full while the disk is full, with a line in the log, and nothing is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-full-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Every write to it fails as on a full disk.
  await symlink('/dev/full', join(folder, 'file.part'));
  const files: FileStore = {
    ...createFolderStore(folder),
    write: (_key, bytes) => writeWholeFile(join(folder, 'file'), join(folder, 'file.part'), bytes),
  };
  const server = await testHttpServer(async (app) => {
    await app.register(import('@fastify/multipart'), { limits: { fileSize: 100_000_000 } });
    app.post('/file', { config: { auth: 'public' } }, (request) =>
      readFileForm(request, z.object({ list_raw: z.file() }), {
        take: ({ bytes }) => storeText({ files, key: 'file' }, bytes, { bytesMax: 100_000_000 }),
        discard: async () => undefined,
      }),
    );
  });
  onTestFinished(() => server.app.close());

  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.app.server.address() as AddressInfo;
  const body = formOf([['list_raw', csv('email\n'.repeat(500_000))]]);
  const answer = await fetch(`http://127.0.0.1:${port}/file`, { method: 'POST', body });

  expect(await answer.json()).toMatchObject({ errors: [{ http_status: 503, code: 'storage_full' }] });
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(server.logLines.find(({ msg }) => msg === 'request could not be served')).toMatchObject({
    level: 'warn',
    err: { cause: { code: 'ENOSPC' } },
  });
  expect(await readdir(folder)).toEqual([]);
});

describe.each([
  ['a preview', previewPath],
  ['a creation', createPath],
])('the parts of %s', (_call, path) => {
  it.each<[string, Part[]]>([
    [
      'a field before the file',
      [
        ['colour', 'red'],
        ['list_raw', csv()],
      ],
    ],
    [
      'a field behind the file',
      [
        ['list_raw', csv()],
        ['colour', 'red'],
      ],
    ],
    ['a field and no file', [['colour', 'red']]],
    ['a file and no other', [['colour', csv()]]],
    [
      'a file before the file',
      [
        ['colour', csv()],
        ['list_raw', csv()],
      ],
    ],
    [
      'a file behind the file',
      [
        ['list_raw', csv()],
        ['colour', csv()],
      ],
    ],
  ])('400 for %s that the call does not know, by its name, and nothing is kept', async (_what, parts) => {
    const keptBefore = await countKept();

    const answer = await send(path, ...parts);

    expect(answer.json().errors[0]).toMatchObject({
      http_status: 400,
      code: 'invalid_request',
      message: 'colour is not a field of this call. Leave it out.',
      meta: { field: 'colour' },
    });
    expect(await countKept()).toBe(keptBefore);
  });

  it.each<[string, Part[], RegExp, string]>([
    [
      'a second file',
      [
        ['list_raw', csv()],
        ['file', csv()],
      ],
      /^Send one file at a time/,
      'file',
    ],
    ['the file as text', [['list_raw', 'email\njane@exists.test']], /^list_raw is not a file/, 'list_raw'],
    ['a file as a field', [['with_headers', csv()]], /^with_headers must be text/, 'with_headers'],
    [
      'no such switch',
      [
        ['list_raw', csv()],
        ['with_headers', 'maybe'],
      ],
      /^with_headers must be true or false\.$/,
      'with_headers',
    ],
  ])('400 for %s, and nothing is kept', async (_what, parts, message, field) => {
    const keptBefore = await countKept();

    const answer = await send(path, ...parts);

    expect(answer.json().errors[0]).toMatchObject({
      http_status: 400,
      code: 'invalid_request',
      message: expect.stringMatching(message),
      meta: { field },
    });
    expect(await countKept()).toBe(keptBefore);
  });

  it.each<[string, Part[]]>([
    ['list_raw alone', [['list_raw', csv()]]],
    ['file in its place', [['file', csv()]]],
    [
      'with_headers before it',
      [
        ['with_headers', 'true'],
        ['list_raw', csv()],
      ],
    ],
    [
      'with_headers behind it',
      [
        ['list_raw', csv()],
        ['with_headers', 'true'],
      ],
    ],
  ])('are taken: %s', async (_what, parts) => {
    const answer = await send(path, ...parts);

    expect(answer.statusCode).toBe(path === previewPath ? 200 : 201);
  });
});

describe('the fields of a creation alone', () => {
  it('201 with a name of its own', async () => {
    const answer = await send(createPath, ['name', 'Spring fair'], ['list_raw', csv()]);

    expect(answer.json()).toMatchObject({ name: 'Spring fair', total_emails: 1 });
  });

  it.each<[string, Part, string]>([
    ['a name that breaks the rules', ['name', 'x'], 'Name requires at least 2 characters'],
    [
      'an upload_id that is none',
      ['upload_id', 'seven'],
      'upload_id must be an id, such as 3f2c8f6e-0c9b-4d3e-9a52-1c8f2b7d6e10.',
    ],
  ])('400 for %s, in the words of every call', async (_what, part, message) => {
    const answer = await send(createPath, part);

    expect(answer.json().errors[0]).toMatchObject({ message, meta: { field: part[0] } });
  });

  it('400 for a name in a preview, which has none', async () => {
    const answer = await send(previewPath, ['name', 'Spring fair'], ['list_raw', csv()]);

    expect(answer.json().errors[0].meta.field).toBe('name');
  });
});

describe('the fields that say how to read a file', () => {
  it.each<[string, Part]>([
    ['sheet', ['sheet', 'Clients']],
    ['email_column', ['email_column', '1']],
  ])('400 for %s behind the file, which was read before it came', async (field, part) => {
    for (const path of [previewPath, createPath]) {
      const answer = await send(path, ['list_raw', csv()], part);

      expect(answer.json().errors[0]).toMatchObject({
        message: `${field} comes after the file. Send it before the file.`,
        meta: { field },
      });
    }
  });
});

describe('a form that is broken', () => {
  const begin = '--x\r\nContent-Disposition: form-data; name="list_raw"; filename="people.csv"\r\n';
  const whole = `${begin}\r\nemail\r\njane@exists.test\r\n--x--\r\n`;
  const post = async (path: string, payload: string, contentType = 'multipart/form-data; boundary=x') =>
    api.app.inject({
      method: 'POST',
      url: `/api${path}`,
      payload,
      headers: { authorization: `Bearer ${await api.tokenFor()}`, 'content-type': contentType },
    });

  it.each<[string, string, string?]>([
    ['no boundary', whole, 'multipart/form-data'],
    ['an empty boundary', whole, 'multipart/form-data; boundary='],
    ['a boundary of 300 bytes', whole, `multipart/form-data; boundary=${'x'.repeat(300)}`],
    ['another boundary than it says', whole, 'multipart/form-data; boundary=y'],
    ['an end in the middle of the file', whole.slice(0, -20)],
    ['an end in the headers of a part', begin.slice(0, 30)],
    ['an end behind the headers of a part', `${begin}\r\n`],
    ['a part whose headers do not end', '--x\r\nA: b\r\n\r\n--x--'],
    ['such a part behind the file', whole.replace('--x--', '--x\r\nA: b\r\n\r\n--x--')],
  ])('400 broken_form for %s, and nothing is kept', async (_what, payload, contentType) => {
    const keptBefore = await countKept();

    for (const path of [previewPath, createPath]) {
      const answer = await post(path, payload, contentType);

      expect(answer.json().errors[0]).toMatchObject({ http_status: 400, code: 'broken_form' });
    }
    expect(await countKept()).toBe(keptBefore);
  });

  it.each([
    ['no parts at all', '--x--\r\n', 'file_missing'],
    ['an empty body', '', 'file_missing'],
    ['a part that is no form field', '--x\r\nA: b\r\n\r\nc\r\n--x--', 'file_missing'],
    ['a file named with NUL', whole.replace('people', 'peo\0ple'), 'invalid_request'],
    ['a file without a name', whole.replace('; filename="people.csv"', ''), 'invalid_request'],
    [
      'a file of bytes without a name',
      whole
        .replace('; filename="people.csv"', '')
        .replace('\r\n\r\n', '\r\nContent-Type: application/octet-stream\r\n\r\n'),
      'invalid_request',
    ],
  ])('400 for %s', async (_what, payload, code) => {
    const answer = await post(previewPath, payload);

    expect(answer.json().errors[0]).toMatchObject({ http_status: 400, code });
  });
});

describe.each([
  ['UTF-8', 'utf8'],
  ['UTF-16', 'utf16le'],
] as const)('a file in %s that says so and holds NUL characters', (_name, encoding) => {
  const bytes = Buffer.from('\ufeffem\0ail,na\0me\nja\0ne@exists.test,Ja\0ne\n', encoding);

  it.each([
    [200, previewPath],
    [201, createPath],
  ])('%i from %s: they are left out', async (status, path) => {
    expect((await send(path, ['list_raw', new Blob([bytes])])).statusCode).toBe(status);
    const { rows } = await api.database.pool.query(
      `select cells from list_rows where cells like '%Ja%' and cells <> 'jane@exists.test,Jane'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a refused upload', () => {
  it('is read to its end, so that the next request on the connection does not wait', async () => {
    const listening = await startTestApi({ beside: api });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(async () => {
      agent.destroy();
      await listening.close();
    });
    await listening.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = listening.app.server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${await api.tokenFor()}` };
    const post = async (form: FormData): Promise<number | undefined> => {
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      const outgoing = request(`http://127.0.0.1:${port}/api${previewPath}`, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': type },
      });
      outgoing.end(Buffer.from(await encoded.arrayBuffer()));
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      await once(answer.resume(), 'end');
      return answer.statusCode;
    };
    const large = csv(`email\n${'jane@exists.test\n'.repeat(200_000)}`);

    const refused = await post(
      formOf([
        ['colour', large],
        ['list_raw', large],
      ]),
    );
    const taken = await post(formOf([['list_raw', csv()]]));

    expect([refused, taken]).toEqual([400, 200]);
  });

  it('413 uploads_full when the customer has no room for files, without effect on others', async () => {
    const small = await startTestApi({ beside: api, env: { UPLOAD_STORE_BYTES: '1024' } });
    onTestFinished(() => small.close());
    const [token, other] = [await api.tokenFor(), await api.tokenFor()];
    const preview = (bearer: string) => {
      const contents = `email\n${'jane@exists.test\n'.repeat(60)}`.slice(0, 1_024);
      return small.call('POST', previewPath, { token: bearer, body: formOf([['list_raw', csv(contents)]]) });
    };

    const first = await preview(token);
    const keptBefore = await countKept();
    const second = await preview(token);

    expect(first.statusCode).toBe(200);
    expect(second.json().errors[0]).toMatchObject({ http_status: 413, code: 'uploads_full' });
    expect(await countKept()).toBe(keptBefore);
    expect((await preview(other)).statusCode).toBe(200);

    // An expired file is removed later, but cannot be verified any more.
    await sql`update uploads set expires_at = 'epoch'`.execute(api.database.db);
    expect((await preview(token)).statusCode).toBe(200);
  });
});

describe.each([
  ['a list of emails', previewPath],
  ['a list of people', '/guessing/lists_bulk/validation'],
])('an upload of %s that its customer cancels', (_what, path) => {
  it('logs nothing above info and keeps no file', async () => {
    const listening = await startTestApi({ beside: api });
    onTestFinished(() => listening.close());
    await listening.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = listening.app.server.address() as AddressInfo;
    const claims = { sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.com` };
    const token = await api.tokenFor(claims);
    // The first token of a process may be warned about. The warnings are not about the upload.
    const { id } = (await listening.call('GET', '/users/me', { token })).json<{ id: string }>();
    const linesBefore = listening.logLines.length;
    await api.database.pool.query('update accounts set guessing_enabled = true where id = $1', [id]);
    const keptBefore = await countKept();
    const outgoing = request(`http://127.0.0.1:${port}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    });
    outgoing.on('error', () => undefined);
    outgoing.write('--x\r\nContent-Disposition: form-data; name="list_raw"; filename="people.csv"\r\n\r\n');
    await new Promise((resolve) => outgoing.write('name,domain,email\n'.repeat(10_000), resolve));
    outgoing.destroy();

    await expect.poll(() => listening.logLines.some((line) => line.msg === 'request refused')).toBe(true);
    const loud = listening.logLines
      .slice(linesBefore)
      .filter((line) => !['info', 'debug'].includes(String(line.level)));
    expect(loud).toEqual([]);
    expect(await countKept()).toBe(keptBefore);
  });
});
