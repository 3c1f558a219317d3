import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '../../platform/files/open-file-store.ts';
import { createLogger } from '../../platform/logging/index.ts';
import { openReadingPool } from '../../platform/reading/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { inOrder } from '../uploads/index.ts';
import { detectDialect } from './files/dialect.ts';
import { copyRows } from './lists/copy-rows.ts';
import { insertDraft } from './lists/lists.store.ts';
import { rowLinesJob } from './lists/row-lines.ts';
import { sweepValidations } from './sweep.ts';

const file = Buffer.from('jane@exists.test\nmax@exists.test\n');

describe('the sweep', () => {
  const readingPool = openReadingPool({ logger: createLogger({ level: 'error', process: 'test' }) });
  afterAll(() => readingPool.close());
  const clock = movableClock();
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ clock });
  });
  afterAll(() => api.close());

  /** What a creation leaves behind whose process dies before it publishes. */
  async function leaveDraft(ownerId: string): Promise<string> {
    const { db, pool } = api.database;
    const place = { ownerId, listId: randomUUID() };
    await insertDraft(db, {
      ...place,
      name: 'Cut short',
      fileName: 'cut.csv',
      delimiter: ',',
      isSandbox: false,
      now: clock.now(),
    });
    const dialect = detectDialect(file.toString());
    if (!dialect) throw new Error('no dialect');
    const order = {
      place,
      reading: { encoding: 'utf-8', dialect },
      withHeaders: false,
      emailsMax: 2,
    } as const;
    const stored = { ownerId, byteCount: file.length, bytes: inOrder([file]) };
    await copyRows(pool, place, readingPool.read(rowLinesJob, stored, order));
    return place.listId;
  }
  const countOf = async (listId: string) => {
    const { rows } = await api.database.pool.query(
      `select (select count(*)::int from validation_lists where id = $1) as lists,
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
