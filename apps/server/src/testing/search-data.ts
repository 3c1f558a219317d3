import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type pg from 'pg';

interface SearchedTable {
  readonly name: string;
  /** Columns that may hold text in packed form. */
  readonly packed: readonly string[];
  /** Whether a column can hold any text: all types but numbers, times, booleans, enums and UUIDs. */
  readonly holdsText: boolean;
}

/** All tables of all schemas but PostgreSQL's own, without their partitions. */
async function readTables(pool: pg.Pool): Promise<SearchedTable[]> {
  const { rows } = await pool.query<SearchedTable>(
    `select format('%I.%I', nspname, relname) as name,
       coalesce(array_agg(attname::text) filter (where type.typname = 'bytea'), '{}') as packed,
       bool_or(coalesce(element.typcategory, type.typcategory) not in ('N', 'B', 'D', 'T', 'E')
         and coalesce(element.typname, type.typname) <> 'uuid') as "holdsText"
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     join pg_type type on type.oid = atttypid
     left join pg_type element on element.oid = type.typelem and type.typcategory = 'A'
     where relkind in ('r', 'p') and not relispartition
       and nspname not in ('pg_catalog', 'pg_toast', 'information_schema') and nspname not like 'pg_temp%'
     group by 1 order by 1`,
  );
  if (rows.length < 20) throw new Error('The search looks at the wrong database.');
  return rows;
}

export const findTablesWithText = async (pool: pg.Pool): Promise<string[]> =>
  (await readTables(pool)).filter(({ holdsText }) => holdsText).map(({ name }) => name);

/** The tables of all schemas with a row that contains this text, also packed. A new table is searched by itself. */
export async function findInTables(pool: pg.Pool, text: string): Promise<string[]> {
  const tables = await readTables(pool);
  const found: string[] = [];
  for (const { name, packed } of tables) {
    const { rowCount } = await pool.query(
      `select 1 from ${name} as t where position(lower($1) in lower(t::text)) > 0 limit 1`,
      [text],
    );
    if (rowCount || (await isInBytes(pool, name, packed, text))) found.push(name);
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
