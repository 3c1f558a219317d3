import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type pg from 'pg';

/** The tables of all schemas with a row that contains this text, also packed. A new table is searched by itself. */
export async function findInTables(pool: pg.Pool, text: string): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string; packed: string[] }>(
    `select format('%I.%I', table_schema, table_name) as name,
       array_remove(array_agg(column_name::text) filter (where data_type = 'bytea'), null) as packed
     from information_schema.tables join information_schema.columns using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
     group by 1 order by 1`,
  );
  if (tables.length < 20) throw new Error('The search looks at the wrong database.');
  const found: string[] = [];
  for (const { name, packed } of tables) {
    const { rowCount } = await pool.query(
      `select 1 from ${name} as t where position(lower($1) in lower(t::text)) > 0 limit 1`,
      [text],
    );
    if (rowCount || (await isInBytes(pool, name, packed ?? [], text))) found.push(name);
  }
  return found;
}

async function isInBytes(
  pool: pg.Pool,
  table: string,
  columns: readonly string[],
  text: string,
): Promise<boolean> {
  for (const column of columns) {
    const { rows } = await pool.query<{ bytes: Buffer }>(
      `select "${column}" as bytes from ${table} where "${column}" is not null`,
    );
    if (rows.some(({ bytes }) => bytes.includes(text) || unpacked(bytes).includes(text))) return true;
  }
  return false;
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes);
  } catch {
    return Buffer.alloc(0);
  }
}

/** The files below a folder that contain this text, in their contents or their name. */
export async function findInFiles(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found: string[] = [];
  for (const path of paths) {
    if (path.includes(text) || (await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}
