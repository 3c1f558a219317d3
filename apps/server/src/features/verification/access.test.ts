import { randomUUID } from 'node:crypto';
import { type RouteContract, validationsRoutes } from '@assay/contract';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { finishList } from './lists/finish-list.ts';

type Name = keyof typeof validationsRoutes;
type Headers = Record<string, string>;

interface Person {
  readonly token: string;
  readonly key: string;
  readonly bearer: Headers;
  readonly byKey: Headers;
}

/** What belongs to one person; made anew for each call, since some calls end it. */
interface Belongings {
  readonly listId: string;
  readonly validationId: string;
  readonly uploadId: string;
  readonly linkId: string;
}

describe('every validations call', () => {
  let api: TestApi;
  let owner: Person;
  let stranger: Person;
  let byTestKey: Headers;
  const answersSeen: LightMyRequestResponse[] = [];

  const signUp = async (): Promise<Person> => {
    const token = await api.tokenFor();
    const key = (await api.call('POST', '/users/api-keys', { token })).json().api_token as string;
    return { token, key, bearer: { authorization: `Bearer ${token}` }, byKey: { 'x-api-key': key } };
  };
  beforeAll(async () => {
    api = await startTestApi();
    owner = await signUp();
    stranger = await signUp();
    const scopes = ['verify', 'read_results', 'manage_lists'];
    const body = { name: 'Tests', mode: 'test', scopes };
    const testKey = await api.call('POST', '/users/api-keys/more', { token: owner.token, body });
    byTestKey = { 'x-api-key': testKey.json().api_token };
  });
  afterAll(() => api.close());

  const inject = async (
    route: RouteContract,
    path: string,
    headers: Headers,
    { body, form }: { body?: object; form?: FormData } = {},
  ) => {
    const answer = await api.call(route.method, path, { headers: { ...headers }, body: form ?? body });
    answersSeen.push(answer);
    return answer;
  };
  const csvForm = () => {
    const form = new FormData();
    form.append('list_raw', new Blob(['email\njane@exists.test\n']), 'people.csv');
    return form;
  };
  const make = async (): Promise<Belongings> => {
    const list = await inject(validationsRoutes.createListFromEmails, '/validations/lists', owner.bearer, {
      body: { emails: ['jane@exists.test'] },
    });
    const single = await inject(
      validationsRoutes.startSingle,
      '/validations/email_validation',
      owner.bearer,
      { body: { email: 'jane@exists.test' } },
    );
    const preview = await inject(
      validationsRoutes.previewList,
      '/validations/lists_bulk/validation',
      owner.bearer,
      { form: csvForm() },
    );
    const listId = list.json().id;
    const link = await inject(
      validationsRoutes.createExportLink,
      `/validations/lists/${listId}/links`,
      owner.bearer,
      { body: {} },
    );
    return {
      listId,
      validationId: single.json().id,
      uploadId: preview.json().upload_id,
      linkId: link.json().id,
    };
  };

  /** No worker runs here. */
  const completeAsUnknown = async (listId: string) => {
    const ended = { db: api.database.db, queue: api.queue, clock: systemClock };
    const { rows } = await api.database.pool.query('select owner_id from lists where id = $1', [listId]);
    if (rows[0]) await finishList(ended, { ownerId: rows[0].owner_id, listId }, new AbortController().signal);
  };

  const range = 'from_date=2026-11-01T00:00:00Z&to_date=2026-11-15T00:00:00Z&group_by=DAY';
  /** How each call is made well. A call that the contract gains must be added here before the tests compile. */
  const calls: Record<Name, (headers: Headers, of: Belongings) => Promise<LightMyRequestResponse>> = {
    listSingles: (headers) => inject(validationsRoutes.listSingles, '/validations/email_validation', headers),
    getSingle: (headers, { validationId }) =>
      inject(validationsRoutes.getSingle, `/validations/email_validation/${validationId}`, headers),
    deleteSingle: (headers, { validationId }) =>
      inject(validationsRoutes.deleteSingle, `/validations/email_validation/${validationId}`, headers),
    exportSingles: (headers) =>
      inject(validationsRoutes.exportSingles, '/validations/email_validation/export', headers),
    startSingle: (headers) =>
      inject(validationsRoutes.startSingle, '/validations/email_validation', headers, {
        body: { email_address: 'jane@exists.test' },
      }),
    listLists: (headers) => inject(validationsRoutes.listLists, '/validations/lists', headers),
    createListFromEmails: (headers) =>
      inject(validationsRoutes.createListFromEmails, '/validations/lists', headers, {
        body: { emails: ['jane@exists.test'] },
      }),
    getMetrics: (headers) =>
      inject(validationsRoutes.getMetrics, `/validations/lists/metrics?${range}`, headers),
    getList: (headers, { listId }) =>
      inject(validationsRoutes.getList, `/validations/lists/${listId}`, headers),
    listEmails: (headers, { listId }) =>
      inject(validationsRoutes.listEmails, `/validations/lists/${listId}/emails`, headers),
    summariseEmails: (headers, { listId }) =>
      inject(validationsRoutes.summariseEmails, `/validations/lists/${listId}/emails/summary`, headers),
    getListEmail: (headers, { listId }) =>
      inject(validationsRoutes.getListEmail, `/validations/lists/${listId}/emails/1`, headers),
    renameList: (headers, { listId }) =>
      inject(validationsRoutes.renameList, `/validations/lists/${listId}`, headers, {
        body: { id: listId, name: 'Spring' },
      }),
    pauseList: (headers, { listId }) =>
      inject(validationsRoutes.pauseList, `/validations/lists/${listId}/pause`, headers),
    resumeList: (headers, { listId }) =>
      inject(validationsRoutes.resumeList, `/validations/lists/${listId}/resume`, headers),
    finishList: (headers, { listId }) =>
      inject(validationsRoutes.finishList, `/validations/lists/${listId}/finish`, headers),
    reverifyList: async (headers, { listId }) => {
      await completeAsUnknown(listId);
      return inject(validationsRoutes.reverifyList, `/validations/lists/${listId}/reverify`, headers);
    },
    deleteList: (headers, { listId }) =>
      inject(validationsRoutes.deleteList, `/validations/lists/${listId}`, headers),
    previewList: (headers) =>
      inject(validationsRoutes.previewList, '/validations/lists_bulk/validation', headers, {
        form: csvForm(),
      }),
    estimateList: (headers, { uploadId }) =>
      inject(validationsRoutes.estimateList, `/validations/lists_bulk/${uploadId}/estimate`, headers),
    exportExclusions: (headers, { uploadId }) =>
      inject(validationsRoutes.exportExclusions, `/validations/lists_bulk/${uploadId}/exclusions`, headers),
    createList: (headers) =>
      inject(validationsRoutes.createList, '/validations/lists_bulk', headers, { form: csvForm() }),
    createExportLink: (headers, { listId }) =>
      inject(validationsRoutes.createExportLink, `/validations/lists/${listId}/links`, headers, { body: {} }),
    listExportLinks: (headers, { listId }) =>
      inject(validationsRoutes.listExportLinks, `/validations/lists/${listId}/links`, headers),
    revokeExportLink: (headers, { listId, linkId }) =>
      inject(validationsRoutes.revokeExportLink, `/validations/lists/${listId}/links/${linkId}`, headers),
    getListColumns: (headers, { listId }) =>
      inject(validationsRoutes.getListColumns, `/validations/lists/${listId}/columns`, headers),
    exportList: (headers, { listId }) =>
      inject(validationsRoutes.exportList, `/validations/lists/${listId}/export?status=VALID`, headers),
  };
  const names = Object.keys(calls) as Name[];
  const namesAbout = (parameter: string) =>
    names.filter((name) => validationsRoutes[name].path.includes(parameter));
  const namesAboutOne = [
    ...namesAbout(':list_id'),
    ...namesAbout(':validation_id'),
    ...namesAbout(':upload_id'),
  ];

  it.each(names)(
    '%s answers its owner by token and by key, with the requests that the key has left',
    async (name) => {
      const { status } = validationsRoutes[name].success;

      const byToken = await calls[name](owner.bearer, await make());
      const byKey = await calls[name](owner.byKey, await make());

      expect([byToken.statusCode, byKey.statusCode]).toEqual([status, status]);
      expect(byKey.headers).toMatchObject({
        'ratelimit-policy': '"customer";q=6000;w=60',
        ratelimit: expect.stringMatching(/^"customer";r=\d+;t=\d+$/),
      });
    },
  );

  it.each(names)(
    '%s is 401 without credentials, with the public key of the web app alone, and with an unknown key',
    async (name) => {
      const belongings = await make();
      const unknown = { 'x-api-key': `${owner.key.slice(0, -4)}0000` };

      const codes = [];
      for (const headers of [{}, { 'x-api-key': 'assay-web' }, unknown]) {
        const answer = await calls[name](headers, belongings);
        codes.push([answer.statusCode, answer.json().errors[0].code]);
      }

      expect(codes).toEqual([
        [401, 'unauthorized'],
        [401, 'unauthorized'],
        [401, 'unknown_api_key'],
      ]);
    },
  );

  it.each(namesAboutOne)(
    '%s is 404 by another customer’s key, exactly as for an unknown id',
    async (name) => {
      const belongings = await make();
      const never = {
        listId: randomUUID(),
        validationId: randomUUID(),
        uploadId: randomUUID(),
        linkId: randomUUID(),
      };

      const theirs = await calls[name](stranger.byKey, belongings);
      const none = await calls[name](stranger.byKey, never);

      const [answered, answeredForNone] = [theirs, none].map((answer) => ({
        ...answer.json().errors[0],
        trace_id: '',
      }));
      expect(theirs.statusCode).toBe(404);
      expect(answered).toEqual(answeredForNone);
      expect((await calls.getList(owner.byKey, belongings)).statusCode).toBe(200);
    },
  );

  it('each call about work that was paid for is 404 by the owner’s test key, and changes nothing', async () => {
    const belongings = await make();

    for (const name of namesAboutOne) {
      expect((await calls[name](byTestKey, belongings)).statusCode, name).toBe(404);
    }

    for (const name of ['getList', 'getSingle', 'estimateList'] as const) {
      expect((await calls[name](owner.byKey, belongings)).statusCode, name).toBe(200);
    }
    expect((await calls.listExportLinks(owner.byKey, belongings)).json().results).toHaveLength(1);
  });

  it.each(['listSingles', 'listLists'] as const)(
    '%s shows nothing of the owner to another customer’s key',
    async (name) => {
      const belongings = await make();
      const newcomer = await signUp();

      const answer = await calls[name](newcomer.byKey, belongings);

      expect(answer.json()).toEqual({ results: [], total: 0 });
    },
  );

  it('404 for another’s upload by key', async () => {
    const { upload_id } = (await calls.previewList(owner.byKey, await make())).json();
    const form = new FormData();
    form.append('upload_id', upload_id);

    const answer = await inject(validationsRoutes.createList, '/validations/lists_bulk', stranger.byKey, {
      form,
    });

    expect(answer.statusCode).toBe(404);
  });

  it('never shows a key in an answer, an error or the log', async () => {
    const { key } = owner;
    const path = '/validations/email_validation';
    const misplaced = await Promise.all([
      api.call('GET', `${path}?api_key=${key}`, { headers: owner.byKey }),
      api.call('GET', `${path}/${key}`, { headers: owner.byKey }),
      api.call('GET', `/validations/${key}`, { headers: owner.byKey }),
      api.call('POST', path, { headers: owner.byKey, body: { email_address: key } }),
      api.call('POST', path, { headers: owner.byKey, body: { email_address: 'a@b.test', [key]: key } }),
      api.call('POST', '/validations/lists', { headers: owner.byKey, body: { emails: [key] } }),
      api.call('GET', path, { headers: { authorization: `Bearer ${key}x` } }),
      api.call('GET', path, { headers: { authorization: key } }),
      api.call('GET', path, { headers: { 'x-api-key': `${key}x` } }),
      api.call('GET', '/users/me', { headers: owner.byKey }),
      api.call('GET', '/users/api-keys', { headers: owner.byKey }),
      api.call('POST', path, {
        headers: { ...owner.byKey, 'idempotency-key': `${key} ${key}` },
        body: { email_address: 'jane@exists.test' },
      }),
    ]);

    expect(misplaced.map(({ statusCode }) => statusCode >= 400)).toEqual(misplaced.map(() => true));
    const leaks = [...misplaced, ...answersSeen].filter(
      (answer) => answer.body.includes(key) || JSON.stringify(answer.headers).includes(key),
    );
    expect(leaks.map((answer) => answer.body)).toEqual([]);
    expect(api.logLines.length).toBeGreaterThan(100);
    expect(api.logLines.filter((line) => JSON.stringify(line).includes(key))).toEqual([]);

    const lists = await Promise.all(
      [owner, stranger].map(({ token }) => api.call('GET', '/users/api-keys', { token })),
    );
    expect(lists.map((answer) => answer.body.includes(key))).toEqual([true, false]);
  });
});
