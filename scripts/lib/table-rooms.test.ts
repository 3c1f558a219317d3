import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { forAllAccounts } from '../../apps/server/src/testing/owner-exceptions.ts';
import { featureRows } from './feature-rows.ts';
import { findFunctions } from './find-functions.ts';
import { readScaleTables } from './scale-tables.ts';
import { findTableNames } from './table-names.ts';

const source = 'apps/server/src';
const files = globSync(`${source}/**/*.ts`, { exclude: ['**/*.test.ts', '**/testing/**'] });

/** Below all features is the platform; above them is what wires them together. */
const rows = [['platform'], ...featureRows, ['processes']];
const roomOf = (file: string): string => {
  const [, folder, feature] = file.slice(source.length).split('/');
  return folder === 'platform' ? folder : folder === 'features' && feature ? feature : 'processes';
};
const rowOf = (room: string): number => rows.findIndex((row) => row.includes(room));

/** The room that declares each table, in its `*.tables.ts`. */
const roomsOfTables = new Map(
  files.flatMap((file) => {
    const [, declared = ''] =
      /^\s*(?:export )?interface Tables \{([^}]*)\}/m.exec(readFileSync(file, 'utf8')) ?? [];
    return [...declared.matchAll(/^\s*(\w+):/gm)].map(([, table = '']) => [table, roomOf(file)] as const);
  }),
);

const named = files.flatMap((file) =>
  findTableNames(file, readFileSync(file, 'utf8'), new Set(roomsOfTables.keys())).map((name) => ({
    ...name,
    file: file.slice(source.length + 1),
    room: roomOf(file),
    declaring: roomsOfTables.get(name.table) ?? '',
  })),
);
const namedBelow = named
  .filter(({ room, declaring }) => declaring !== room && rowOf(declaring) >= rowOf(room))
  .map(({ file, table, line, declaring }) => ({ place: `${file} ${table}`, line, declaring }));

const owned = new Set(
  readScaleTables().flatMap(({ table, ownerColumns }) => (ownerColumns.length > 0 ? [table] : [])),
);
const namesAccount = /owner_?id|account_?id|user_?id/i;

describe('tables of the server', () => {
  it('each belong to the room that declares them', () => {
    const tables = readScaleTables().map(({ table }) => table);
    expect(tables.length).toBeGreaterThan(70);
    expect([...roomsOfTables.keys()].sort()).toEqual(tables.sort());
  });

  it('are named only in their room and in rooms of higher rows', () => {
    expect(namedBelow).toEqual([]);
  });

  it('of accounts are named only by SQL in *.store.ts', () => {
    const outside = named.filter(
      ({ table, file }) => owned.has(table) && !/\.(?:store|tables)\.ts$/.test(file),
    );
    expect(outside.map(({ file, table, line }) => `${file}:${line} ${table}`)).toEqual([]);
  });

  it('of accounts are named beside the account by every function of a store that does not serve all accounts', () => {
    const withoutOwner = files
      .filter((file) => file.endsWith('.store.ts'))
      .flatMap((file) =>
        findFunctions(file, readFileSync(file, 'utf8'))
          .filter(({ text }) => findTableNames(file, text, owned).length > 0 && !namesAccount.test(text))
          .map(({ name }) => `${file.slice(source.length + 1)} ${name}`),
      );
    expect(withoutOwner.sort()).toEqual(forAllAccounts.flatMap(({ functions }) => functions).sort());
  });
});

describe('findFunctions', () => {
  it('finds functions, classes and constants that are functions', () => {
    const text = `import a from 'a';
export function first() { return 1; }
const second = () => 2;
export const third = 3;
interface Fourth {}
export class Fifth {}`;
    expect(findFunctions('file.ts', text)).toEqual([
      { name: 'first', text: 'function first() { return 1; }' },
      { name: 'second', text: 'const second = () => 2;' },
      { name: 'Fifth', text: 'class Fifth {}' },
    ]);
  });
});

describe('findTableNames', () => {
  const tables = new Set(['users', 'backups', 'coupons', 'list_rows']);
  const namesIn = (text: string) => findTableNames('file.ts', text, tables).map(({ table }) => table);

  it.each([
    ["db.selectFrom('users as person')", ['users']],
    ["db.selectFrom('list_rows').innerJoin('users', 'users.id', 'owner_id')", ['users', 'list_rows']],
    [`sql\`select 1 from users where id = \${id}\``, ['users']],
    ['sql`select from coupons, users`', ['coupons', 'users']],
    ['sql`select from coupons as coupon, users`', ['coupons', 'users']],
    ['sql`with a as (select 1) update users set a = 1`', ['users']],
    ["client.query('insert into backups values (1)')", ['backups']],
    ["const table: 'users' | 'list_rows' = which", ['list_rows']],
    ["sql.table('users')", ['users']],
    [`sql\`from \${table} join users on true\``, ['users']],
  ])('finds those of %s', (text, expected) => {
    expect(namesIn(text)).toEqual(expected);
  });

  it.each([
    ["const title = 'users and coupons'"],
    ['// select from users'],
    ['sql`select from list_rowsets where users.id = 1`'],
    ['const list_rows = users.length'],
  ])('finds none in %s', (text) => {
    expect(namesIn(text)).toEqual([]);
  });

  it('tells the line', () => {
    expect(findTableNames('file.ts', `sql\`\n  select \${a}\n  from users\``, tables)).toEqual([
      { table: 'users', line: 3 },
    ]);
  });
});
