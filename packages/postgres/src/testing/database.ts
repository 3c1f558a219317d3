import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Creates an empty database on the server of this test run, and returns its address. */
export async function createDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: inject('postgresAdminUrl') });
  await client.connect();
  await client.query(`create database ${name} owner ${url.username}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
