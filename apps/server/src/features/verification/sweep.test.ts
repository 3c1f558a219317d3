import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '../../platform/files/open-file-store.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { sweepValidations } from './sweep.ts';

describe('the sweep', () => {
  const clock = movableClock();
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ clock });
  });
  afterAll(() => api.close());

  /** What a creation of an earlier version left behind whose process died before it published. */
  async function leaveDraft(ownerId: string): Promise<string> {
    const listId = randomUUID();
    await api.database.pool.query(
      `with list as (
         insert into lists (kind, owner_id, id, name, status, delimiter, created_at)
         values ('emails', $1, $2, 'Cut short', 'DRAFT', ',', $3) returning owner_id, id
       ), rows as (
         insert into list_rows (owner_id, list_id, row_number, cells, email_address)
         select owner_id, id, n, 'jane@exists.test', 'jane@exists.test' from list, generate_series(0, 1) n
       )
       insert into list_chunks (owner_id, list_id, chunk_number, row_numbers)
       select owner_id, id, 0, '{0,1}' from list`,
      [ownerId, listId, clock.now()],
    );
    return listId;
  }
  const countOf = async (listId: string) => {
    const { rows } = await api.database.pool.query(
      `select (select count(*)::int from lists where id = $1) as lists,
         (select count(*)::int from list_rows where list_id = $1) as rows,
         (select count(*)::int from list_chunks where list_id = $1) as chunks`,
      [listId],
    );
    return rows[0];
  };

  it('removes the draft of a crashed upload with its rows and chunks, but no recent draft', async () => {
    const token = await api.tokenFor();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json<{ id: string }>();
    const old = await leaveDraft(ownerId);
    clock.advance({ ms: 1 });
    const young = await leaveDraft(ownerId);
    expect(await countOf(old)).toEqual({ lists: 1, rows: 2, chunks: 1 });
    clock.advance({ hours: 6 });

    const files = await openFileStore(api.config);
    await sweepValidations({ db: api.database.db, clock, files }, new AbortController().signal);

    expect(await countOf(old)).toEqual({ lists: 0, rows: 0, chunks: 0 });
    expect(await countOf(young)).toEqual({ lists: 1, rows: 2, chunks: 1 });
  });
});
