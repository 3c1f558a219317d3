import { openAsBlob } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ListPreview, ValidationList } from '@assay/contract';
import { startPostgres } from '@assay/postgres';
import pg from 'pg';
import { startTestIssuer } from '../../../apps/server/src/testing/issuer.ts';
import { type Customer, signUp } from '../../support/customer.ts';
import { describeSurroundings } from '../../support/environment.ts';
import { type ProductProcess, startProcess } from '../../support/product-process.ts';
import { onShutdown } from '../../support/shutdown.ts';
import { Deadline } from '../../support/until.ts';
import { type BenchWorld, startWorld, type WorldOptions } from '../verifier/world.ts';
import { nowhere } from './bare.ts';

export interface BenchProduct {
  readonly folder: string;
  readonly world: BenchWorld;
  readonly pool: pg.Pool;
  /** Of the server, for its superuser. */
  readonly adminUrl: string;
  readonly apiUrl: string;
  readonly apiPid: number;
  /** The environment of its processes. */
  readonly environment: Record<string, string>;
  signUp(credits: number): Promise<Customer>;
  /** The same worker for the whole run; returns its process id. */
  startWorker(): Promise<number>;
  close(): Promise<void>;
}

interface ProductOptions {
  /** Of its processes, by the names of their variables. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly postgresSettings?: Readonly<Record<string, string>>;
}

/** The real processes on a PostgreSQL, with default settings unless others are given; no worker yet. */
export async function startBenchProduct(
  options: WorldOptions = { replyDelayMs: 20 },
  { settings = {}, postgresSettings = {} }: ProductOptions = {},
): Promise<BenchProduct> {
  const closing = new AsyncDisposableStack();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closing.disposeAsync();
    return closed;
  };
  // Otherwise a bench that is stopped early would leave its database running.
  closing.defer(onShutdown(close));
  const folder = await mkdtemp(join(tmpdir(), 'bench-bulk-'));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  // Readable for the database's user, so that its cluster stays in this folder.
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: postgresSettings });
  closing.defer(() => postgres.stop());
  const issuer = await startTestIssuer();
  closing.defer(() => issuer.close());
  const world = await startWorld(options);
  closing.defer(() => world.stop());
  const around = { databaseUrl: postgres.url, issuer, mail: world, dataFolder: join(folder, 'data') };
  const surroundings = await describeSurroundings(around);
  Object.assign(surroundings.environment, settings);
  const api = await startProcess('api', surroundings.environment);
  closing.defer(() => api.stop());
  const pool = new pg.Pool({ connectionString: postgres.url });
  closing.defer(() => pool.end());
  let worker: ProductProcess | undefined;

  return {
    folder,
    world,
    pool,
    adminUrl: postgres.adminUrl,
    apiUrl: surroundings.apiUrl,
    apiPid: api.pid,
    environment: surroundings.environment,
    signUp: (credits) => signUp(issuer, surroundings, credits),
    startWorker: async () => {
      if (!worker) {
        const started = await startProcess('worker', surroundings.environment);
        closing.defer(() => started.stop());
        worker = started;
      }
      return worker.pid;
    },
    close,
  };
}

export async function previewFile({ client }: Customer, path: string): Promise<ListPreview> {
  const file = new File([await openAsBlob(path)], 'people.csv');
  return client.validations.previewList({ body: { list_raw: file } });
}

export const createList = ({ client }: Customer, upload_id: string): Promise<ValidationList> =>
  client.validations.createList({ body: { upload_id } });

/** Creates a list whose rows a worker copies, but does not check. Also says how long the call took. */
export async function createPausedList(
  product: BenchProduct,
  { client }: Customer,
  upload_id: string,
): Promise<{ list: ValidationList; answerMs: number }> {
  await product.startWorker();
  const startedAt = performance.now();
  const { id } = await client.validations.createList({ body: { upload_id } });
  const answerMs = performance.now() - startedAt;
  const params = { list_id: id };
  await client.validations.pauseList({ params });
  const list = await new Deadline(patienceMs).until(`the rows of list ${id} are there`, async () => {
    const found = await client.validations.getList({ params });
    return found.preparation === null && found;
  });
  return { list, answerMs };
}

/** Writes results as workers do, without a worker. */
export async function judgeAllRows({ pool }: BenchProduct, listId: string): Promise<void> {
  await pool.query(
    `insert into list_results (owner_id, list_id, row_number, verdict, reason, checked_at)
     select owner_id, list_id, row_number, 'VALID', 'mailbox_accepted', now()
     from list_rows where list_id = $1 and email_address is not null and first_row_number is null`,
    [listId],
  );
  await pool.query('analyze list_rows, list_results');
}

const patienceMs = 900_000;

/** Reads the database directly: polling through the API would slow the measured work. */
export async function untilWritten(
  { pool }: BenchProduct,
  list: ValidationList,
  forMs = patienceMs,
): Promise<void> {
  await new Deadline(forMs).until(`list ${list.id} is complete`, async () => {
    const { rows } = await pool.query('select status from lists where id = $1', [list.id]);
    return rows[0]?.status === 'COMPLETE';
  });
}

export async function untilComplete({ client }: Customer, list: ValidationList): Promise<void> {
  await new Deadline(patienceMs).until(`list ${list.id} is complete`, async () => {
    const { status } = await client.validations.getList({ params: { list_id: list.id } });
    return status === 'COMPLETE';
  });
}

/** Downloads all results. */
export async function exportList(
  { apiUrl }: BenchProduct,
  { client }: Customer,
  listId: string,
): Promise<void> {
  const { download_link } = await client.validations.exportList({
    params: { list_id: listId },
    query: { status: ['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'] },
  });
  const { pathname, search } = new URL(download_link);
  // Uncompressed, like COPY; this does not measure the compression of a browser's download.
  const { body } = await fetch(new URL(pathname + search, apiUrl), {
    headers: { 'accept-encoding': 'identity' },
  });
  if (body) await pipeline(Readable.fromWeb(body as never), nowhere());
}

/** Checks one address and waits for its verdict. */
export async function verifySingle({ client }: Customer, address: string): Promise<void> {
  const { id } = await client.validations.startSingle({ body: { email_address: address } });
  await new Deadline(patienceMs).until(
    'the single is complete',
    async () => (await client.validations.getSingle({ params: { validation_id: id } })).status === 'COMPLETE',
    5,
  );
}
