import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { uploadsFolder } from '../../uploads/index.ts';
import { type EntrySource, type Origin, writeArchive } from './archive.ts';
import type { BackupPlace } from './backup-place.ts';
import { withCopyConnection } from './copy-connection.ts';
import type { KeptSecrets } from './kept-secrets.ts';
import { readSchema, readTables, type Table } from './read-schema.ts';
import { seal } from './seal.ts';

export interface BackupOrder {
  readonly databaseUrl: string;
  readonly files: FileStore;
  readonly secrets: KeptSecrets;
  /** An age recipient or identity. */
  readonly key: string;
  readonly place: BackupPlace;
  readonly version: { readonly version: string; readonly commit: string };
}

export interface BackupSummary {
  readonly byteCount: number;
  readonly rowCount: number;
  readonly tableCount: number;
  readonly fileCount: number;
}

/** Uploads wait here until lists are made of them. Nothing else in the file store belongs to a snapshot. */
export const backedUpFolder = uploadsFolder;

/** Tables come and go with large lists. They change rarely while we look. */
const locksTriesMax = 20;

/** Writes one consistent snapshot of the installation, in bounded memory, while everything goes on. */
export async function writeBackup(order: BackupOrder): Promise<BackupSummary> {
  return withCopyConnection({ url: order.databaseUrl, applicationName: 'assay backup' }, async (client) => {
    const tables = await beginSnapshot(client);
    const from = await readOrigin(client, order.version);
    const counts = { rowCount: 0, tableCount: tables.length, fileCount: 0 };
    const entries = entriesOf(client, { ...order, tables, counts });
    const hash = createHash('sha256');
    const sealed = seal(order.key, writeArchive(entries, from));
    const { byteCount } = await order.place.write(hashed(sealed, hash));
    await requireSame(order.place, hash.digest('hex'));
    return { byteCount, ...counts };
  });
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
}

/** Reads the backup again. A machine that has only the recipient cannot open it, so the bytes are compared. */
async function requireSame(place: BackupPlace, digest: string): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of place.read()) hash.update(piece);
  if (hash.digest('hex') === digest) return;
  throw new Error(
    'The backup was written, but what the disk or store gives back differs. Do not rely on it.',
  );
}

/**
 * Locks every table before the snapshot begins, so that none is emptied or dropped under it, and a migration waits. Reading,
 * writing and new partitions go on.
 */
async function beginSnapshot(client: pg.Client): Promise<Table[]> {
  for (let tries = 1; ; tries += 1) {
    const listed = await readTables(client);
    await client.query('begin isolation level repeatable read read only');
    try {
      // Names are qualified then, and values written so that every server reads the same from them.
      await client.query(`set local search_path = ''; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
        set local timezone = 'UTC'; set local extra_float_digits = 3; set local lock_timeout = '10s';
        set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
      if (listed.length > 0) {
        const names = listed.map(({ name }) => `only ${name}`).join(', ');
        await client.query(`lock table ${names} in access share mode`);
      }
      const tables = await readTables(client);
      if (JSON.stringify(tables) === JSON.stringify(listed)) return tables;
    } catch (error) {
      const isPassing = error instanceof pg.DatabaseError && ['42P01', '55P03'].includes(error.code ?? '');
      if (!isPassing || tries === locksTriesMax) throw error;
    }
    await client.query('rollback');
    if (tries === locksTriesMax) throw new Error('Tables kept changing. Try again when no migration runs.');
  }
}

async function readOrigin(client: pg.Client, { version, commit }: BackupOrder['version']): Promise<Origin> {
  const { rows } = await client.query<{ postgres: string; takenAt: Date; migrations: string[] }>(
    `select current_setting('server_version') as postgres, now() as "takenAt",
       array(select name from public.schema_migrations order by name) as migrations`,
  );
  const [found] = rows as [(typeof rows)[number]];
  return { version, commit, ...found, takenAt: found.takenAt.toISOString() };
}

async function* entriesOf(
  client: pg.Client,
  {
    files,
    secrets,
    tables,
    counts,
  }: Pick<BackupOrder, 'files' | 'secrets'> & {
    tables: readonly Table[];
    counts: { rowCount: number; fileCount: number };
  },
): AsyncGenerator<EntrySource> {
  yield jsonEntry('schema', await readSchema(client));
  for (const { name, columns } of tables) {
    const copy = client.query(copyTo(`copy ${name} (${columns.join(', ')}) to stdout`));
    yield {
      head: { kind: 'table', name, columns: [...columns] },
      bytes: copy,
      rowCount: () => {
        counts.rowCount += copy.rowCount;
        return copy.rowCount;
      },
    };
  }
  yield jsonEntry('secrets', secrets);
  for await (const key of files.list(backedUpFolder)) {
    const bytes = await readUnlessGone(files, key);
    if (!bytes) continue;
    counts.fileCount += 1;
    yield { head: { kind: 'file', name: key }, bytes };
  }
}

const jsonEntry = (kind: 'schema' | 'secrets', value: object): EntrySource => ({
  head: { kind, name: kind },
  bytes: Readable.from([Buffer.from(JSON.stringify(value))]),
});

/** Its customer or the sweep may remove a file at any time, until it is open. */
async function readUnlessGone(files: FileStore, key: string): Promise<AsyncIterable<Buffer> | null> {
  const stream = files.read(key);
  const pieces = stream[Symbol.asyncIterator]();
  try {
    const first = await pieces.next();
    return (async function* () {
      if (first.done) return;
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => pieces };
    })();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

export const readJson = async <Value>(bytes: AsyncIterable<Buffer>): Promise<Value> =>
  JSON.parse((await buffer(Readable.from(bytes))).toString()) as Value;
