import type pg from 'pg';

/**
 * The definition of a database as statements, as PostgreSQL itself describes it. So a backup contains the tables of
 * everybody who has some in the database (the queue, the embedded identity provider, partitions of large lists) and does
 * not depend on the version that restores it. See docs/decisions/backup-through-sql.md.
 */
export interface Schema {
  /** Create types, functions, sequences and tables, without indexes, so that rows load quickly and in any order. */
  readonly before: readonly string[];
  readonly tables: readonly Table[];
  /** Create keys, indexes and triggers, and move sequences on. */
  readonly after: readonly string[];
}

export interface Table {
  /** Quoted, with its schema. */
  readonly name: string;
  /** Quoted. Columns that PostgreSQL computes are left out. */
  readonly columns: readonly string[];
}

export const inOurSchemas = `nspname !~ '^pg_' and nspname <> 'information_schema'`;
/** What belongs to an extension comes and goes with it. */
export const notOfExtension = (oid: string, catalog: 'pg_class' | 'pg_proc' | 'pg_type'): string =>
  `not exists (select from pg_depend where objid = ${oid} and classid = '${catalog}'::regclass and deptype = 'e')`;
const isOurTable = (oid: string): string => `${inOurSchemas} and ${notOfExtension(oid, 'pg_class')}`;
const isOurType = `${inOurSchemas} and ${notOfExtension('t.oid', 'pg_type')}`;
const isOurFunction = `${inOurSchemas} and ${notOfExtension('p.oid', 'pg_proc')}`;
const nameOf = (oid: string): string =>
  `(select quote_ident(nspname) || '.' || quote_ident(relname) from pg_class k join pg_namespace s on s.oid = relnamespace
    where k.oid = ${oid})`;

/** Every part answers rows of one text, in the order in which they must run. Names sort, so that two reads are equal. */
const beforeParts = [
  // Schemas. `public` is there already.
  `select format('create schema %I', nspname) as line from pg_namespace n where ${inOurSchemas} and nspname <> 'public' order by 1`,
  `select format('create extension if not exists %I with schema %I', extname, nspname) as line
   from pg_extension join pg_namespace n on n.oid = extnamespace where extname <> 'plpgsql' order by 1`,
  `select format('create type %I.%I as enum (%s)', nspname, typname,
     (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid)) as line
   from pg_type t join pg_namespace n on n.oid = typnamespace where typtype = 'e' and ${isOurType} order by 1`,
  `select pg_get_functiondef(p.oid) as line ${functionsFrom('not')} order by p.oid::regprocedure::text`,
  `select format('create aggregate %I.%I (%s) (sfunc = %s, stype = %s%s%s)', nspname, proname,
     pg_get_function_arguments(p.oid), aggtransfn::text, format_type(aggtranstype, null),
     case when agginitval is null then '' else ', initcond = ' || quote_literal(agginitval) end,
     case when aggfinalfn = 0 then '' else ', finalfunc = ' || aggfinalfn::text end) as line
   from pg_aggregate g join pg_proc p on p.oid = aggfnoid join pg_namespace n on n.oid = pronamespace
   where ${isOurFunction} order by 1`,
  // Sequences of identity columns are made with their columns.
  `select format('create sequence %s as %s start %s increment %s minvalue %s maxvalue %s cache %s%s', ${nameOf('seqrelid')},
     seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, case when seqcycle then ' cycle' else '' end) as line
   from pg_sequence join pg_class c on c.oid = seqrelid join pg_namespace n on n.oid = relnamespace
   where ${isOurTable('seqrelid')} and not exists (select from pg_depend where objid = seqrelid and classid = 'pg_class'::regclass and deptype = 'i')
   order by 1`,
  `select format('create %stable %s (%s)%s%s', case when relpersistence = 'u' then 'unlogged ' else '' end, ${nameOf('c.oid')},
     concat_ws(', ', (${columnsOf()}), (
       select string_agg(format('constraint %I %s', conname, pg_get_constraintdef(k.oid)), ', ' order by conname)
       from pg_constraint k where conrelid = c.oid and contype = 'c')),
     case when relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end,
     case when reloptions is null then '' else format(' with (%s)', array_to_string(reloptions, ', ')) end) as line
   from pg_class c join pg_namespace n on n.oid = relnamespace where relkind in ('r', 'p') and ${isOurTable('c.oid')} order by 1`,
  `select format('alter table only %s alter column %I %s', ${nameOf('attrelid')}, attname, setting) as line
   from pg_attribute a join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
   join pg_type t on t.oid = atttypid
   cross join lateral (values
     (case when attstorage <> typstorage then 'set storage ' ||
       case attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end end),
     (case attcompression when 'l' then 'set compression lz4' when 'p' then 'set compression pglz' end),
     (case when attstattarget >= 0 then 'set statistics ' || attstattarget end)) as set_to (setting)
   where relkind in ('r', 'p') and attnum > 0 and not attisdropped and setting is not null and ${isOurTable('c.oid')} order by 1`,
  `select format('alter sequence %s owned by %s.%I', ${nameOf('d.objid')}, ${nameOf('d.refobjid')}, attname) as line
   from pg_depend d join pg_class c on c.oid = objid and relkind = 'S' join pg_namespace n on n.oid = relnamespace
   join pg_attribute a on attrelid = refobjid and attnum = refobjsubid
   where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and deptype = 'a' and ${isOurTable('c.oid')} order by 1`,
  `select format('alter table %s attach partition %s %s', ${nameOf('inhparent')}, ${nameOf('c.oid')},
     pg_get_expr(relpartbound, c.oid)) as line
   from pg_inherits join pg_class c on c.oid = inhrelid join pg_namespace n on n.oid = relnamespace
   where relkind in ('r', 'p') and relispartition and ${isOurTable('c.oid')} order by 1`,
  `select pg_get_functiondef(p.oid) as line ${functionsFrom('')} order by p.oid::regprocedure::text`,
];

const afterParts = [
  // Keys first: foreign keys need them. Those of partitions exist before they are attached to those of the whole table.
  `select format('alter table only %s add constraint %I %s', ${nameOf('conrelid')}, conname, pg_get_constraintdef(k.oid)) as line
   from pg_constraint k join pg_namespace n on n.oid = connamespace where contype in ('p', 'u', 'x') and ${isOurTable('conrelid')} order by 1`,
  `select pg_get_indexdef(indexrelid) as line
   from pg_index i join pg_class c on c.oid = indexrelid join pg_namespace n on n.oid = relnamespace
   where ${isOurTable('indrelid')} and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x')) order by 1`,
  `select format('alter index %s attach partition %s', ${nameOf('inhparent')}, ${nameOf('inhrelid')}) as line
   from pg_inherits join pg_class c on c.oid = inhrelid join pg_namespace n on n.oid = relnamespace
   where relkind in ('i', 'I') and ${inOurSchemas} order by 1`,
  `select format('alter table %s add constraint %I %s', ${nameOf('conrelid')}, conname, pg_get_constraintdef(k.oid)) as line
   from pg_constraint k join pg_namespace n on n.oid = connamespace
   where contype = 'f' and conparentid = 0 and ${isOurTable('conrelid')} order by 1`,
  `select pg_get_triggerdef(t.oid) as line
   from pg_trigger t join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = relnamespace
   where not tgisinternal and tgparentid = 0 and ${isOurTable('tgrelid')} order by 1`,
  `select format('alter table %s %s trigger %I', ${nameOf('tgrelid')},
     case tgenabled when 'D' then 'disable' when 'R' then 'enable replica' else 'enable always' end, tgname) as line
   from pg_trigger t join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = relnamespace
   where not tgisinternal and tgparentid = 0 and tgenabled <> 'O' and ${isOurTable('tgrelid')} order by 1`,
  `select pg_get_statisticsobjdef(x.oid) as line
   from pg_statistic_ext x join pg_namespace n on n.oid = stxnamespace where ${inOurSchemas} order by 1`,
];

/** What the statements above cannot describe. A backup that would leave something out is refused. */
const unsupported = `
  select case relkind when 'v' then 'view ' when 'm' then 'materialized view ' when 'f' then 'foreign table '
    else 'type ' end || c.oid::regclass as thing
  from pg_class c join pg_namespace n on n.oid = relnamespace where relkind in ('v', 'm', 'f', 'c')
    and ${isOurTable('c.oid')} and ${notOfExtension('reltype', 'pg_type')}
  union all
  select 'type ' || t.oid::regtype from pg_type t join pg_namespace n on n.oid = typnamespace
  where typtype in ('d', 'r', 'm') and ${isOurType}
  union all
  select 'inheritance of ' || c.oid::regclass from pg_inherits join pg_class c on c.oid = inhrelid
  join pg_namespace n on n.oid = relnamespace where relkind = 'r' and not relispartition and ${isOurTable('c.oid')}
  union all
  select 'function ' || p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = pronamespace
  left join pg_aggregate on aggfnoid = p.oid
  where ${isOurFunction} and (prokind = 'w' or aggkind <> 'n' or aggcombinefn <> 0 or aggmtransfn <> 0 or aggsortop <> 0)
  union all
  select 'rule or policy of ' || c.oid::regclass from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind in ('r', 'p') and (relhasrules or relrowsecurity) and ${isOurTable('c.oid')}`;

function functionsFrom(not: 'not' | ''): string {
  // Types of tables exist after the tables do.
  return `from pg_proc p join pg_namespace n on n.oid = pronamespace
    where prokind in ('f', 'p') and ${isOurFunction} and ${not} exists (
      select from pg_type where typrelid <> 0 and oid = any (prorettype || proargtypes::oid[]))`;
}

function columnsOf(): string {
  return `
    select string_agg(concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
      case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
      case when attidentity <> '' then format('generated %s as identity (sequence name %s start %s increment %s)',
        case attidentity when 'a' then 'always' else 'by default' end, ${nameOf('seqrelid')}, seqstart, seqincrement) end,
      case attgenerated when 's' then format('generated always as (%s) stored', pg_get_expr(adbin, adrelid))
        when 'v' then format('generated always as (%s) virtual', pg_get_expr(adbin, adrelid))
        else 'default ' || pg_get_expr(adbin, adrelid) end,
      case when attnotnull then 'not null' end), ', ' order by attnum)
    from pg_attribute a join pg_type t on t.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    left join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = attrelid and d.refobjsubid = attnum
      and d.classid = 'pg_class'::regclass and d.deptype = 'i' and attidentity <> ''
    left join pg_sequence on seqrelid = d.objid
    where attrelid = c.oid and attnum > 0 and not attisdropped`;
}

const sequences = `
  select ${nameOf('c.oid')} as name from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind = 'S' and ${isOurTable('c.oid')} order by 1`;

/** Rows of unlogged tables do not survive a crash, so nobody needs them after a restore. */
const tables = `
  select ${nameOf('c.oid')} as name, (
    select coalesce(array_agg(quote_ident(attname) order by attnum), '{}') from pg_attribute
    where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind = 'r' and relpersistence = 'p' and ${isOurTable('c.oid')} order by 1`;

export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  return (await client.query<Table>(tables)).rows;
}

export async function readSchema(client: pg.ClientBase): Promise<Schema> {
  const { rows: things } = await client.query<{ thing: string }>(unsupported);
  if (things.length > 0) {
    throw new Error(
      `This database contains things that a backup cannot keep: ${things.map(({ thing }) => thing).join(', ')}. Use pg_dump.`,
    );
  }
  return {
    before: await readLines(client, beforeParts),
    tables: await readTables(client),
    after: [...(await readLines(client, afterParts)), ...(await readSequences(client))],
  };
}

async function readLines(client: pg.ClientBase, parts: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const part of parts) {
    const { rows } = await client.query<{ line: string }>(part);
    lines.push(...rows.map(({ line }) => line));
  }
  return lines;
}

/** A sequence only moves on, so its value is at least as high as any that the snapshot contains. */
async function readSequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(sequences);
  const lines: string[] = [];
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ line: string }>(
      `select format('select setval(%L, %s, %L)', $1::text, last_value, is_called) as line from ${name}`,
      [name],
    );
    lines.push(...values.map(({ line }) => line));
  }
  return lines;
}
