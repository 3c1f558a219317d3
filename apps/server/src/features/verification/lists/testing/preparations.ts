import { Readable } from 'node:stream';
import type { ListPreview, ValidationList } from '@assay/contract';
import type { FileStore } from '../../../../platform/files/file-store.ts';
import { openFileStore } from '../../../../platform/files/open-file-store.ts';
import { createLogger } from '../../../../platform/logging/index.ts';
import { createMetrics } from '../../../../platform/metrics/index.ts';
import { openReadingPool } from '../../../../platform/reading/index.ts';
import { startTestApi } from '../../../../testing/api.ts';
import { grantCredits } from '../../../billing/index.ts';
import type { ListPlace } from '../../../lists/index.ts';
import { type PrepareParts, prepareList } from '../prepare-list.ts';

export const nothingCopied = { rows: 0, numbers: 0, chunked: 0 };

/** The API without a worker, so that the tests decide when the job that prepares a list runs. */
export async function startPreparations() {
  const api = await startTestApi();
  const { db, pool } = api.database;
  const files = await openFileStore(api.config);
  const openPool = (changes: Partial<Parameters<typeof openReadingPool>[0]> = {}) =>
    openReadingPool({
      logger: createLogger({ level: 'silent', process: 'test' }),
      metrics: createMetrics(),
      ...changes,
    });
  const readingPool = openPool();
  const { signal } = new AbortController();
  const now = () => new Date();
  // Each look at it is a second later, so that every piece of a file is told of.
  let steadyMs = 0;
  const clock = {
    now,
    steadyMs: () => {
      steadyMs += 1_000;
      return steadyMs;
    },
  };
  const parts: PrepareParts = {
    db,
    pool,
    clock,
    queue: api.queue,
    files,
    readingPool,
    limits: api.config.uploads,
  };
  const prepare = (place: ListPlace, changes: Partial<PrepareParts> = {}, { run = 0, retryCount = 0 } = {}) =>
    prepareList({ ...parts, ...changes }, { ...place, run }, { signal, retryCount });

  async function newCustomer() {
    const token = await api.tokenFor();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json<{ id: string }>();
    const send = (path: string, fields: Record<string, string | Blob>, headers = {}) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      return api.call('POST', path, { token, body, headers });
    };
    const read = async (sql: string, ...values: unknown[]) =>
      (await pool.query(sql, [ownerId, ...values])).rows;
    return {
      ownerId,
      token,
      call: (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, headers = {}) =>
        api.call(method, path, { token, body, headers }),
      preview: async (text: string) =>
        (await send('/validations/lists_bulk/validation', { list_raw: new Blob([text]) })).json<ListPreview>()
          .upload_id,
      create: (upload_id: string, headers = {}) => send('/validations/lists_bulk', { upload_id }, headers),
      createFrom: (text: string, headers = {}) =>
        send('/validations/lists_bulk', { list_raw: new Blob([text]) }, headers),
      give: (credits: number) =>
        db.transaction().execute((tx) =>
          grantCredits(tx, {
            ownerId,
            key: 'gift:test',
            credits,
            now: now(),
            category: 'GRANT',
            source: 'SUPPORT',
            description: 'For a test',
          }),
        ),
      lists: () => read('select id, status from lists where owner_id = $1 order by created_at'),
      wallet: async () => (await read('select balance, held from wallets where owner_id = $1'))[0],
      entries: () =>
        read("select amount, description from ledger_entries where owner_id = $1 and source = 'LIST'"),
      pending: async () =>
        (await read('select sum(pending)::int as pending from validation_metrics where owner_id = $1'))[0]
          .pending,
      uploads: () => read('select list_id, file_key from uploads where owner_id = $1'),
    };
  }

  /** A list that is being prepared, of a new customer. */
  async function newPreparation(text: string) {
    const customer = await newCustomer();
    const { id: listId } = (await customer.createFrom(text)).json<ValidationList>();
    const place = { ownerId: customer.ownerId, listId };
    const path = `/validations/lists/${listId}`;
    return {
      ...customer,
      ...place,
      place,
      path,
      at: (method: 'GET' | 'POST' | 'DELETE', action = '', body?: unknown) =>
        customer.call(method, `${path}${action}`, body),
      list: async () => (await customer.call('GET', path)).json<ValidationList>(),
      run: (changes: Partial<PrepareParts> = {}, run: { run?: number; retryCount?: number } = {}) =>
        prepare(place, changes, run),
      copied: async () =>
        (
          await pool.query(
            `select (select count(*)::int from list_rows where list_id = $1) as rows,
               (select count(distinct row_number)::int from list_rows where list_id = $1) as numbers,
               (select coalesce(sum(cardinality(row_numbers)), 0)::int from list_chunks where list_id = $1) as chunked`,
            [listId],
          )
        ).rows[0],
      jobs: async () =>
        (
          await pool.query(
            "select name, data->'run' as run from queue.job where data->>'listId' = $1 order by created_on, name",
            [listId],
          )
        ).rows.map(({ name, run }) => [name.replace('validations.', ''), run]),
    };
  }

  /** A store whose files stop in the middle until they are released, as they do for a process that hangs or is about to die. */
  function gatedStore() {
    const halfway = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const store: FileStore = {
      ...files,
      read: (key) =>
        Readable.from(
          (async function* () {
            const bytes = Buffer.concat(await Array.fromAsync(files.read(key)));
            yield bytes.subarray(0, bytes.length / 2);
            halfway.resolve();
            await released.promise;
            yield bytes.subarray(bytes.length / 2);
          })(),
        ),
    };
    return { store, halfway: halfway.promise, release: () => released.resolve() };
  }

  return {
    api,
    files,
    openPool,
    prepare,
    newCustomer,
    newPreparation,
    gatedStore,
    async close() {
      await readingPool.close();
      await api.close();
    },
  };
}
