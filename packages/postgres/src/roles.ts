import pg from 'pg';

/** Made with the cluster. Only this module and maintenance sign in as it. */
export const superuser = 'assay';

/** The product's role: it owns its databases and may do nothing else on the server. */
export const productRole = 'assay_product';

/** Makes the product's role and brings its password up to date. */
export async function ensureProductRole(maintenanceUrl: string, password: string): Promise<void> {
  await withConnection(maintenanceUrl, async (client) => {
    const found = await client.query('select 1 from pg_roles where rolname = $1', [productRole]);
    const verb = found.rowCount === 0 ? 'create' : 'alter';
    await client.query(
      `${verb} role ${productRole} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
       password ${pg.escapeLiteral(password)}`,
    );
  });
}

/** Makes the database, owned by the product, or hands over one that an earlier version made for the superuser. */
export async function ensureOwnDatabase(urlOf: (database: string) => string, name: string): Promise<void> {
  const owner = await withConnection(urlOf('postgres'), async (client) => {
    const found = await client.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [name],
    );
    if (found.rows.length === 0) await createOwnDatabase(client, name);
    return found.rows[0]?.owner ?? productRole;
  });
  if (owner !== productRole) await withConnection(urlOf(name), (client) => handOver(client, name));
}

export async function createOwnDatabase(client: pg.Client, name: string, template?: string): Promise<void> {
  const from = template ? ` template ${pg.escapeIdentifier(template)}` : '';
  await client.query(`create database ${pg.escapeIdentifier(name)} owner ${productRole}${from}`);
}

/**
 * REASSIGN OWNED refuses the role that the cluster was made with, so every object is named. The database comes last, in
 * the same transaction: it is how the next start sees that this one finished.
 */
async function handOver(client: pg.Client, name: string): Promise<void> {
  await client.query('begin');
  const { rows } = await client.query<{ command: string }>(`${ownedObjects}`, [superuser]);
  for (const { command } of rows) await client.query(`${command} owner to ${productRole}`);
  await client.query(`alter database ${pg.escapeIdentifier(name)} owner to ${productRole}`);
  await client.query('commit');
}

// Sequences of identity and serial columns follow their tables; so do indexes and the row types of tables.
const ownedObjects = `
  with mine as (select oid from pg_roles where rolname = $1),
  places as (select oid, nspname, nspowner from pg_namespace where nspname !~ '^(pg_|information_schema$)')
  select format('alter schema %I', nspname) as command
    from places where nspowner in (select oid from mine)
  union all
  select format('alter table %s', c.oid::regclass)
    from pg_class c join places p on p.oid = c.relnamespace
    where c.relowner in (select oid from mine) and c.relkind in ('r', 'p', 'v', 'm', 'f')
  union all
  select format('alter sequence %s', c.oid::regclass)
    from pg_class c join places p on p.oid = c.relnamespace
    where c.relowner in (select oid from mine) and c.relkind = 'S'
      and not exists (select 1 from pg_depend d
                      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i'))
  union all
  select format('alter routine %s', f.oid::regprocedure)
    from pg_proc f join places p on p.oid = f.pronamespace
    where f.proowner in (select oid from mine)
  union all
  select format('alter type %s', t.oid::regtype)
    from pg_type t join places p on p.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
    where t.typowner in (select oid from mine) and (t.typtype in ('e', 'd', 'r') or c.relkind = 'c')`;

export async function withConnection<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  // A connection that breaks fails the statement that uses it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
