import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type LockPatience, takeStep } from './patient-step.ts';

/** A function, an aggregate or a trigger of the database. */
interface SchemaFunction {
  /** `function NAME` or `trigger NAME on TABLE`. */
  readonly name: string;
  /** Of a trigger. */
  readonly table: string | undefined;
  readonly sql: string;
  readonly sha256: string;
}

export interface SchemaFunctions {
  /** Processes of an older release leave the functions of a higher version alone: they start too while a newer one replaces them. */
  readonly version: number;
  /** In the order in which they can be created. */
  readonly all: readonly SchemaFunction[];
}

/** What a database says of a function that it has. */
export interface AppliedFunction {
  readonly name: string;
  readonly sha256: string;
  /** Of the files that it was last compared with. */
  readonly version: number;
}

/**
 * Reads the files next to the migrations that declare functions and triggers, as `create or replace` statements that begin at the start of
 * a line. Folders without them, of older releases, have version 0.
 */
export async function readFunctions(migrationsFolder: string): Promise<SchemaFunctions> {
  const folder = join(migrationsFolder, 'functions');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!names) return { version: 0, all: [] };
  const files = names.filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const { version } = JSON.parse(await readFile(join(folder, 'version.json'), 'utf8'));
  return { version, all: texts.flatMap(splitStatements) };
}

const statementStart = /^(?=create or replace )/m;
const functionHead = /^create or replace (?:function|aggregate) (\w+)/;
const triggerHead = /^create or replace trigger (\w+)\s/;
const tableOfTrigger = /\son (\w+)\s/;

function splitStatements(text: string): SchemaFunction[] {
  const [, ...parts] = `\n${text}`.split(statementStart);
  return parts.map((part) => {
    const sql = withoutTrailingComments(part);
    const sha256 = createHash('sha256').update(sql).digest('hex');
    const [, name] = functionHead.exec(sql) ?? [];
    if (name) return { name: `function ${name}`, table: undefined, sql, sha256 };
    const [, trigger] = triggerHead.exec(sql) ?? [];
    const [, table] = tableOfTrigger.exec(sql) ?? [];
    if (trigger && table) return { name: `trigger ${trigger} on ${table}`, table, sql, sha256 };
    throw new Error(`This is no function, aggregate or trigger: ${sql.slice(0, 100)}`);
  });
}

/** Comments and blank lines at the end belong to the next statement. */
function withoutTrailingComments(statement: string): string {
  const lines = statement.split('\n');
  const last = lines.findLastIndex((line) => line !== '' && !line.startsWith('--'));
  return lines.slice(0, last + 1).join('\n');
}

/** Says whether functions or triggers were added, changed or removed: the same for the same ones. */
export function digestOf({ all }: SchemaFunctions): string {
  const lines = all.map(({ name, sha256 }) => `${name} ${sha256}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** What is missing or differs in a database. */
export function findChanges({ version, all }: SchemaFunctions, applied: readonly AppliedFunction[]) {
  const isNewer = applied.some((row) => row.version > version);
  const hashes = new Map(applied.map(({ name, sha256 }) => [name, sha256]));
  const names = new Set(all.map(({ name }) => name));
  return {
    /** The database belongs to a newer release, whose functions also serve this one. */
    isNewer,
    changed: isNewer ? [] : all.filter(({ name, sha256 }) => hashes.get(name) !== sha256),
    gone: isNewer ? [] : applied.map(({ name }) => name).filter((name) => !names.has(name)),
  };
}

/**
 * Brings functions and triggers to this code's version. Functions change together; triggers change table by table, so that one lock is
 * waited for at a time. Answers the names of those that it created, replaced or dropped. See docs/decisions/schema-functions-in-files.md.
 */
export async function applyFunctions(
  client: pg.Client,
  functions: SchemaFunctions,
  patience: LockPatience,
): Promise<string[]> {
  const { version } = functions;
  if (version === 0) return [];
  await client.query(`create table if not exists schema_functions (
    name text primary key, sha256 text not null, version integer not null)`);
  const { rows } = await client.query<AppliedFunction>('select name, sha256, version from schema_functions');
  const { isNewer, changed, gone } = findChanges(functions, rows);
  if (isNewer) return [];

  for (const part of partsOf(changed, gone)) {
    const run = async () => {
      for (const { name, sha256, sql } of part.changed) {
        await client.query(sql);
        await client.query(
          `insert into schema_functions (name, sha256, version) values ($1, $2, $3)
           on conflict (name) do update set sha256 = excluded.sha256, version = excluded.version`,
          [name, sha256, version],
        );
      }
      if (part.gone.length === 0) return;
      await client.query(dropStatement(part.gone));
      await client.query('delete from schema_functions where name = any ($1)', [part.gone]);
    };
    const name = [...part.changed.map(({ name }) => name), ...part.gone].join(', ');
    await takeStep(client, { name, run }, patience);
  }
  await client.query('update schema_functions set version = $1 where version <> $1', [version]);
  return [...changed.map(({ name }) => name), ...gone.map((name) => `${name}, dropped`)];
}

interface Part {
  readonly changed: readonly SchemaFunction[];
  readonly gone: readonly string[];
}

/** Functions before the triggers that call them, and the other way round when they go. */
function partsOf(changed: readonly SchemaFunction[], gone: readonly string[]): Part[] {
  const tables = new Set([...changed.map(({ table }) => table), ...gone.map(tableOf)]);
  const triggers = [...tables.difference(new Set([undefined]))].map((name) => ({
    changed: changed.filter(({ table }) => table === name),
    gone: gone.filter((trigger) => tableOf(trigger) === name),
  }));
  const parts = [
    { changed: changed.filter(({ table }) => !table), gone: [] },
    ...triggers,
    { changed: [], gone: gone.filter((name) => !tableOf(name)) },
  ];
  return parts.filter((part) => part.changed.length + part.gone.length > 0);
}

const tableOf = (name: string): string | undefined => /^trigger \w+ on (\w+)$/.exec(name)?.[1];

function dropStatement(names: readonly string[]): string {
  const triggers = names.filter(tableOf);
  if (triggers.length > 0)
    return triggers.map((name) => `drop ${name.replace('trigger', 'trigger if exists')}`).join('; ');
  // Together, so that those of them that call each other are no obstacle. A routine may be an aggregate.
  return `drop routine if exists ${names.map((name) => name.replace('function ', '')).join(', ')}`;
}
