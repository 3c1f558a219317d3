import { randomUUID } from 'node:crypto';
import type { GuessPreview, ListPreview, ValidationList } from '@assay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../testing/database.ts';
import { productOfFile } from '../../../testing/product.ts';
import { insertCustomer } from '../../billing/testing/accounts.ts';
import { createFrom, newGuessingCustomer, previewPeople, startList } from '../testing/guessing-customer.ts';

const { api } = await productOfFile();

describe('lists of both kinds', () => {
  it('each exist for the calls of their kind only', async () => {
    const customer = await newGuessingCustomer(api);
    const call = (method: 'GET' | 'POST' | 'DELETE', path: string) =>
      api.call(method, path, { token: customer.token });
    const people = await startList(api, customer, 'name,domain\nJane Doe,dotted.test\n');
    const emails = (
      await api.call('POST', '/validations/lists', {
        token: customer.token,
        body: { name: 'Emails', emails: ['jane@exists.test'] },
      })
    ).json<ValidationList>();

    for (const path of [`/validations/lists/${people.id}`, `/guessing/lists/${emails.id}`]) {
      expect((await call('GET', path)).statusCode).toBe(404);
      expect((await call('POST', `${path}/finish`)).statusCode).toBe(404);
      expect((await call('DELETE', path)).statusCode).toBe(404);
    }
    const idsOf = async (path: string) =>
      (await call('GET', path)).json<{ results: { id: string }[] }>().results.map(({ id }) => id);
    expect(await idsOf('/validations/lists')).toEqual([emails.id]);
    expect(await idsOf('/guessing/lists')).toEqual([people.id]);
  });

  it('are made of uploads of their kind only', async () => {
    const customer = await newGuessingCustomer(api);
    const people = (
      await previewPeople(api, customer, 'name,domain\nJane Doe,dotted.test\n')
    ).json<GuessPreview>();
    const form = (name: string, value: string | Blob) => {
      const body = new FormData();
      body.append(name, value);
      return { token: customer.token, body };
    };
    const file = new Blob(['email\njane@exists.test\n']);
    const previewPath = '/validations/lists_bulk/validation';
    const emails = (await api.call('POST', previewPath, form('list_raw', file))).json<ListPreview>();

    const ofPeople = await api.call('POST', '/validations/lists_bulk', form('upload_id', people.upload_id));
    const ofEmails = await createFrom(api, customer, { upload_id: emails.upload_id });

    for (const answer of [ofPeople, ofEmails])
      expect(answer.json().errors[0]).toMatchObject({ http_status: 404, code: 'upload_not_found' });
  });
});

describe('the deletion of a list of people', async () => {
  const { db, pool, close } = await createTestDatabase();
  afterAll(close);
  const ownerId = await db.transaction().execute((tx) => insertCustomer(tx, new Date()));
  const newList = async () => {
    const id = randomUUID();
    await pool.query(
      `insert into lists (kind, owner_id, id, name, status, delimiter, total_people, created_at)
       values ('people', $1, $2, 'People', 'COMPLETE', ',', 1, now())`,
      [ownerId, id],
    );
    return id;
  };
  const noted = async () => (await pool.query('select kind, id from deletions_to_log order by number')).rows;

  it.each(['lists', 'guess_lists'])(
    'is noted for a restore, also when an earlier version deletes it (%s)',
    async (table) => {
      const id = await newList();

      await pool.query(`delete from ${table} where id = $1`, [id]);

      expect((await noted()).at(-1)).toEqual({ kind: 'people_list', id });
    },
  );

  it('needs no note of its own when it goes with its account', async () => {
    await newList();

    await pool.query('delete from accounts where id = $1', [ownerId]);

    expect((await noted()).at(-1)).toEqual({ kind: 'account', id: ownerId });
  });
});
