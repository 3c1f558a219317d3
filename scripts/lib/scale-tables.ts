import { readFileSync } from 'node:fs';

/** A table of docs/scale.md, with what it would be distributed by. */
export interface ScaleTable {
  readonly table: string;
  readonly key: string;
  readonly remark: string;
  /** The columns of which each says whose a row is; none for tables that belong to nobody. */
  readonly ownerColumns: readonly string[];
}

/** Every table, in the order of the page. */
export function readScaleTables(): ScaleTable[] {
  const page = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^\| (`\w+`.*?) \| (.+?) \| (.+?) \|$/gm)].flatMap(
    ([, names = '', key = '', remark = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, table = '']) => ({
        table,
        key,
        remark,
        ownerColumns: columnsOf(table, key),
      })),
  );
}

function columnsOf(table: string, key: string): string[] {
  if (key === '`owner_id`') return ['owner_id'];
  if (key === '`account_id`') return ['account_id', 'user_id'];
  if (key.startsWith('its id')) return ['id'];
  if (key === "the user's id") return [table === 'users' ? 'id' : 'user_id'];
  return [];
}
