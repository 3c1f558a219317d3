import { Kysely } from 'kysely';
import pg from 'pg';
import { readScaleTables } from '../../../../scripts/lib/scale-tables.ts';
import { BoundedPostgresDialect } from '../platform/database/bounded-transactions.ts';
import type { Database } from '../platform/database/database.ts';
import { poolWithNamedStatements } from '../platform/database/named-statements.ts';
import type { Tables } from '../platform/database/tables.ts';
import { createBareDatabase } from './database.ts';
import { exceptions } from './owner-exceptions.ts';
import { migratedTemplate } from './postgres.global-setup.ts';

/** The columns that say whose a row is, by table. */
const ownerColumns = new Map(
  readScaleTables().flatMap(({ table, ownerColumns: columns }) =>
    columns.length > 0 ? [[table, columns] as const] : [],
  ),
);

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [property: string]: unknown;
}

const conditionNames = ['Index Cond', 'Recheck Cond', 'Filter', 'Hash Cond', 'Merge Cond', 'Join Filter'];

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}

type Tie = readonly [left: string, right: string];

/** Of each part of a condition that holds for every row: the equalities of which one is true. */
function tiesOf(condition: string): Tie[][] {
  return splitAt(' AND ', condition).map((part) => {
    const words = part
      .replace(/::[\w ]+(?:\[\])?/g, '')
      .replaceAll('"', '')
      .replace(/[()]/g, ' ');
    return words.split(' OR ').map((equality) => {
      const [, left = '', right = ''] = /^\s*(\S+)\s+=\s+(?:ANY\s+)?(\S+)/.exec(equality) ?? [];
      return [left, right];
    });
  });
}

/** Parts of a condition such as `((a = 1) AND (b = 2))`, at its outermost level. */
function splitAt(word: string, condition: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 1;
  for (let at = 0; at < condition.length; at += 1) {
    if (condition[at] === '(') depth += 1;
    if (condition[at] === ')') depth -= 1;
    if (depth === 1 && condition.startsWith(word, at)) {
      parts.push(condition.slice(from, at));
      from = at + word.length;
    }
  }
  return [...parts, condition.slice(from, -1)];
}

/** The tables of owners of which the plan reads rows whoever owns them. */
function findUnowned(plan: PlanNode, parents: ReadonlyMap<string, string>): string[] {
  const nodes = [...nodesOf(plan)];
  const scans = nodes
    .filter((node) => node['Node Type'].endsWith('Scan'))
    .flatMap((node) => {
      const relation = node['Relation Name'] ?? '';
      const table = parents.get(relation) ?? relation;
      const columns = (ownerColumns.get(table) ?? []).map((column) => `${node.Alias}.${column}`);
      const keys = Object.keys(exceptions.uniqueKeys[table] ?? {}).map((key) => `${node.Alias}.${key}`);
      return columns.length > 0 ? [{ table, columns, names: [...columns, ...keys] }] : [];
    });
  const ties = nodes.flatMap((node) =>
    conditionNames.flatMap((name) => (typeof node[name] === 'string' ? tiesOf(node[name] as string) : [])),
  );
  // An owner of one table may be that of another, until nothing more is known.
  let open = scans;
  for (let before = -1; open.length !== before; ) {
    before = open.length;
    const unknown = new Set(open.flatMap(({ columns }) => columns));
    open = open.filter(({ names }) => {
      const isTied = ([left, right]: Tie) =>
        names.includes(left) ? !unknown.has(right) : names.includes(right) && !unknown.has(left);
      return !ties.some((equalities) => equalities.every(isTied));
    });
  }
  return open.map(({ table }) => table);
}

interface Planner {
  readonly pool: pg.Pool;
  /** The tables of partitions. */
  readonly parents: ReadonlyMap<string, string>;
}

/** A database without rows, so that no plan waits for a lock of a test. Undefined where PostgreSQL cannot plan without values. */
async function openPlanner(): Promise<Planner | undefined> {
  const { url } = await createBareDatabase({ template: migratedTemplate });
  const pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  const { rows } = await pool.query<{ version: number; child: string; parent: string }>(`
    select current_setting('server_version_num')::int as version, inhrelid::regclass::text as child,
      inhparent::regclass::text as parent
    from (select) as one left join pg_inherits on true`);
  if ((rows[0]?.version ?? 0) < 160_000) return undefined;
  return { pool, parents: new Map(rows.map(({ child, parent }) => [child, parent])) };
}

let planner: Promise<Planner | undefined> | undefined;

const namesOwned = new RegExp(`\\b(?:${[...ownerColumns.keys()].join('|')})\\b`);
const isPlanned = /^\s*(?:select|insert|update|delete|with|merge)\b/i;
/** The statement whose rows are copied. */
const ofCopy = /^copy \((.*)\) to stdout.*$/is;
/** The partition of a large list, which the planner has not. */
const ofLargeList = /\b(list_rows|list_results|list_address_blocks)_[\da-f]{32}\b/g;
/** Its rows have an owner, because the column takes no null. */
const isPlainInsert = /^insert into "\w+" \([^)]*\) values (?!.*\bon conflict\b.*\bdo update\b)/is;

/** What was found, by statement, for all test files of this process. */
const known = new Map<string, Promise<readonly string[]>>();
/** Statements that name the owner, or need none: they run at once. */
const innocent = new Set<string>();

export function findTablesWithoutOwner(statement: string): Promise<readonly string[]> {
  const before = known.get(statement);
  if (before) return before;
  const found = explain(statement.replace(ofCopy, '$1').replace(ofLargeList, '$1')).then((tables) => {
    if (tables.length === 0) innocent.add(statement);
    return tables;
  });
  known.set(statement, found);
  return found;
}

async function explain(statement: string): Promise<readonly string[]> {
  if (!isPlanned.test(statement) || !namesOwned.test(statement) || isPlainInsert.test(statement)) return [];
  planner ??= openPlanner();
  const { pool, parents } = (await planner) ?? {};
  if (!pool || !parents) return [];
  const explained = `explain (generic_plan, verbose, costs off, format json) ${statement}`;
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
  return rows.flatMap(({ 'QUERY PLAN': [{ Plan }] }) => findUnowned(Plan, parents));
}

export interface OwnerCheck {
  /** For the API. */
  readonly checked: Pick<Database, 'db' | 'pool'>;
  /** Throws what failed. Work in the background may hide the errors. */
  end(): Promise<void>;
}

/**
 * Fails every statement that reads or changes rows of accounts without naming the account, except those of
 * `owner-exceptions.ts`. The plan of PostgreSQL says which rows it touches.
 */
export function checkOwners(unchecked: pg.Pool): OwnerCheck {
  const failures = new Set<string>();
  const running = new Set<Promise<void>>();
  const check = async (statement: string, stack: string): Promise<void> => {
    const tables = await findTablesWithoutOwner(statement);
    if (tables.length === 0 || exceptions.places.some(({ place }) => isAt(place, stack))) return;
    const failure = `${tables.join(', ')} without the owner: ${statement}\n${stack}`;
    failures.add(failure);
    throw new Error(failure);
  };
  const clients = new WeakMap<pg.PoolClient, pg.PoolClient>();
  const checkedClient = (client: pg.PoolClient): pg.PoolClient => {
    const query = (...input: unknown[]) => {
      const run = () => (client.query as (...input: unknown[]) => unknown).apply(client, input);
      const [statement] = input as [string | { readonly text: string }];
      const text = typeof statement === 'string' ? statement : statement.text;
      if (innocent.has(text)) return run();
      const checking = check(text, stackHere());
      if (typeof statement === 'string' || !('submit' in statement)) return checking.then(run);
      // A stream runs at once.
      const settled = checking.catch(({ message }) => void failures.add(message));
      running.add(settled);
      return run();
    };
    return new Proxy(client, {
      get: (target, name) => (name === 'query' ? query : propertyOf(target, name)),
    });
  };
  const connect = async () => {
    const client = await unchecked.connect();
    const known = clients.get(client) ?? checkedClient(client);
    clients.set(client, known);
    return known;
  };
  const pool = new Proxy(unchecked, {
    get: (target, name) => (name === 'connect' ? connect : propertyOf(target, name)),
  });
  const dialect = new BoundedPostgresDialect({ pool: poolWithNamedStatements(pool, true) });
  return {
    checked: { db: new Kysely<Tables>({ dialect }), pool },
    end: async () => {
      await Promise.all(running);
      if (failures.size > 0) throw new Error([...failures].join('\n'));
    },
  };
}

function propertyOf(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}

/** With the callers that wait for the statement. */
function stackHere(): string {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = before;
  const lines = stack.split('\n');
  return lines.filter((line) => line.includes('/src/') && !line.includes('owner-check')).join('\n');
}

/** Whether a caller is in a folder or file, or in a function of a file: `users.store.ts findIdentities`. */
function isAt(place: string, stack: string): boolean {
  const [path = '', name] = place.split(' ');
  return stack
    .split('\n')
    .some((line) => line.includes(`/src/${path}`) && (!name || line.includes(`${name} (`)));
}
