// The baselines: the library or the database alone, on the same file and rows.
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Papa from 'papaparse';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export function parseBare(path: string): Promise<number> {
  return timed(
    () =>
      new Promise<void>((resolve, reject) => {
        Papa.parse<string[]>(createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 }), {
          chunk: () => undefined,
          complete: () => resolve(),
          error: reject,
        });
      }),
  );
}

/** A COPY of a list's rows into a table of the same shape and key. */
export async function copyInBare(pool: pg.Pool, listId: string, folder: string): Promise<number> {
  const path = join(folder, 'rows.copy');
  const client = await pool.connect();
  try {
    const rows = client.query(copyTo(`copy (select * from list_rows where list_id = '${listId}') to stdout`));
    await pipeline(rows, createWriteStream(path));
    await client.query('create table bare_rows (like list_rows including all)');
    return await timed(() =>
      pipeline(createReadStream(path), client.query(copyFrom('copy bare_rows from stdin'))),
    );
  } finally {
    await client.query('drop table if exists bare_rows');
    client.release();
  }
}

/** A COPY of a list's rows out of the database. */
export async function copyOutBare(pool: pg.Pool, listId: string): Promise<number> {
  const client = await pool.connect();
  try {
    const statement = `copy (select * from list_rows where list_id = '${listId}') to stdout`;
    return await timed(() => pipeline(client.query(copyTo(statement)), nowhere()));
  } finally {
    client.release();
  }
}

export const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
