import { randomUUID } from 'node:crypto';
import type { ListPreview, ValidationList } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '../../../platform/files/open-file-store.ts';
import { createLogger } from '../../../platform/logging/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { openReadingPool } from '../../../platform/reading/index.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { auditLedger } from '../../billing/index.ts';
import { createAvailability } from '../../engine/index.ts';
import { findEmailUpload } from '../files/email-uploads.ts';
import { sweepValidations } from '../sweep.ts';
import { createList } from './create-list.ts';

describe('a list made of an upload', () => {
  const readingPool = openReadingPool({
    logger: createLogger({ level: 'error', process: 'test' }),
    metrics: createMetrics(),
  });
  afterAll(() => readingPool.close());
  const clock = movableClock();
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ clock });
  });
  afterAll(() => api.close());

  /** A new customer who can sign in again after a day, with readers for their lists and wallet. */
  async function newCustomer() {
    const claims = { sub: randomUUID(), email: `${randomUUID()}@example.com` };
    const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
      api.call(method, path, { token: await api.tokenFor(claims), body });
    const { id } = (await call('GET', '/users/me')).json<{ id: string }>();
    const send = (path: string, name: string, value: string | Blob) => {
      const form = new FormData();
      form.append(name, value);
      return call('POST', path, form);
    };
    return {
      id,
      preview: async () =>
        (
          await send(
            '/validations/lists_bulk/validation',
            'list_raw',
            new Blob(['email\njane@exists.test\nmax@exists.test\n']),
          )
        ).json<ListPreview>().upload_id,
      createFrom: (uploadId: string) => send('/validations/lists_bulk', 'upload_id', uploadId),
      deleteList: (listId: string) => call('DELETE', `/validations/lists/${listId}`),
      listIds: async () => {
        const lists = api.database.db.selectFrom('lists').select(['id', 'status']);
        return lists.where('owner_id', '=', id).orderBy('created_at').execute();
      },
      wallet: async () => {
        const { rows } = await api.database.pool.query(
          `select balance, held, (select count(*) from holds where owner_id = $1) as holds
           from wallets where owner_id = $1`,
          [id],
        );
        return rows[0];
      },
    };
  }

  it('404 upload_not_found once that list was deleted: nothing is copied, nothing held', async () => {
    const customer = await newCustomer();
    const uploadId = await customer.preview();
    const { id: listId } = (await customer.createFrom(uploadId)).json<ValidationList>();
    expect((await customer.deleteList(listId)).statusCode).toBe(204);
    const walletBefore = await customer.wallet();

    const answer = await customer.createFrom(uploadId);

    expect(answer.json().errors[0]).toMatchObject({
      http_status: 404,
      code: 'upload_not_found',
      message: expect.stringContaining('Send the file again'),
    });
    expect(await customer.listIds()).toEqual([{ id: listId, status: 'DELETED' }]);
    expect(await customer.wallet()).toEqual(walletBefore);
  });

  it('404 upload_not_found when a parallel call made that list and it was deleted meanwhile', async () => {
    const customer = await newCustomer();
    const { db, pool } = api.database;
    const files = await openFileStore(api.config);
    // As the slower twin read it: nothing was made of it yet.
    const upload = await findEmailUpload({ db, clock }, customer.id, await customer.preview());
    const { id: listId } = (await customer.createFrom(upload.id)).json<ValidationList>();
    await customer.deleteList(listId);
    const walletBefore = await customer.wallet();

    const slower = createList(
      { db, pool, clock, queue: api.queue, files, readingPool, availability: createAvailability(clock) },
      { ownerId: customer.id, upload, name: 'Slower', withHeaders: true },
      null,
    );

    await expect(slower).rejects.toMatchObject({ code: 'upload_not_found', status: 404 });
    const statuses = (await customer.listIds()).map(({ status }) => status);
    expect(statuses).toEqual(['DELETED']);
    expect(await customer.wallet()).toEqual(walletBefore);
  });

  it('is made within 24 hours of the upload, and 404 upload_not_found from then on', async () => {
    const customer = await newCustomer();
    const [early, late] = [await customer.preview(), await customer.preview()];

    clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    expect((await customer.createFrom(early)).statusCode).toBe(201);
    clock.advance({ seconds: 1 });
    const answer = await customer.createFrom(late);

    expect(answer.json().errors[0]).toMatchObject({ http_status: 404, code: 'upload_not_found' });
    expect(await customer.listIds()).toHaveLength(1);
  });

  it('is made of a file that expires, and is swept, after the call found it', async () => {
    const customer = await newCustomer();
    const { db, pool } = api.database;
    const files = await openFileStore(api.config);
    const upload = await findEmailUpload({ db, clock }, customer.id, await customer.preview());
    clock.advance({ hours: 24, seconds: 1 });
    await sweepValidations({ db, clock, files }, new AbortController().signal);

    const made = await createList(
      { db, pool, clock, queue: api.queue, files, readingPool, availability: createAvailability(clock) },
      { ownerId: customer.id, upload, name: 'In time', withHeaders: true },
      null,
    );

    expect(await customer.listIds()).toMatchObject([{ id: made.id }]);
  });

  it('leaves a ledger that agrees', async () => {
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
  });
});
