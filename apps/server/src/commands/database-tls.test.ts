import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@assay/postgres/testing/free-port';
import { sql } from 'kysely';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { withCopyConnection } from '../features/recovery/backup/copy-connection.ts';
import { openDatabase } from '../platform/database/database.ts';
import { withDirectConnection } from '../platform/database/direct-connection.ts';
import { authorityFile, startTlsPostgres } from '../platform/database/testing/tls-postgres.ts';
import { run as runDoctor } from './doctor.ts';

const strangeAuthority = fileURLToPath(
  new URL('../../../../packages/mail-world/src/smtp/world.certificate.pem', import.meta.url),
);
const assay = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url));

const server = await startTlsPostgres();
afterAll(() => server.close());

const verified = (parameters: Record<string, string> = {}) =>
  server.urlWith({ sslmode: 'verify-full', ...parameters });
const trusted = verified({ sslrootcert: authorityFile });
const applicationName = 'assay test';
const askTls = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';
const askDirectly = (databaseUrl: string) =>
  withDirectConnection({ databaseUrl, applicationName }, (client) => client.query(askTls));

async function askPool(url: string) {
  const database = openDatabase({ url, poolSize: 1, applicationName, onIdleError: () => undefined });
  try {
    return await sql.raw(askTls).execute(database.db);
  } finally {
    await database.close();
  }
}

describe('PostgreSQL with the certificate of a private authority', () => {
  it('is trusted when the address names the authority, by connections of every kind, and TLS protects them', async () => {
    const tls = expect.objectContaining({ rows: [{ ssl: true }] });
    expect(await askPool(trusted)).toEqual(tls);
    expect(await askDirectly(trusted)).toEqual(tls);
    const copying = withCopyConnection({ url: trusted, applicationName }, (client) => client.query(askTls));
    expect(await copying).toEqual(tls);
  });

  it.each([
    ['NODE_EXTRA_CA_CERTS', verified(), { NODE_EXTRA_CA_CERTS: authorityFile }],
    ['sslrootcert', trusted, {}],
  ])('is migrated by a command that knows the authority by %s', async (_, DATABASE_URL, extra) => {
    const env = { PATH: process.env.PATH, DATABASE_URL, ...extra };
    const { stdout } = await promisify(execFile)(process.execPath, [assay, 'migrate'], { env });
    expect(stdout).toContain('The database is at this version.');
  });

  const whatToChange = 'Name the file with the certificate of that authority in the address';
  it.each([
    ['without the authority', verified(), whatToChange],
    ['with another authority', verified({ sslrootcert: strangeAuthority }), whatToChange],
    ['without TLS', server.urlWith({}), 'Add `?sslmode=verify-full` to the address.'],
    [
      'with a file that is not there',
      verified({ sslrootcert: '/nowhere/ca.pem' }),
      '/nowhere/ca.pem, which cannot be read (ENOENT). Correct sslrootcert',
    ],
  ])('refuses %s, and the error says what to change', async (_, url, words) => {
    await expect(askPool(url)).rejects.toThrow(words);
    await expect(askDirectly(url)).rejects.toThrow(words);
  });

  it('refuses a server that shows a certificate for another name', async () => {
    await server.show('other-name');
    const asking = askPool(trusted);
    await expect(asking).rejects.toThrow('is for another name. Use a name of the certificate in the address');
    await server.show('server');
    await expect(askPool(trusted)).resolves.toBeDefined();
  });

  it('ends a command with that sentence and exit code 1', async () => {
    const env = { PATH: process.env.PATH, DATABASE_URL: verified() };
    const failing = promisify(execFile)(process.execPath, [assay, 'migrate'], { env });
    await expect(failing).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(whatToChange) });
  });

  it('is a problem that doctor finds, with what to change', async () => {
    const out: string[] = [];
    const write = (text: string) => out.push(text);
    const nowhere = `127.0.0.1:${await freePort()}`;
    const env = {
      ...{ DATABASE_URL: verified(), ASSAY_SECRET: 'a secret of at least thirty-two bytes' },
      ...{ PUBLIC_URL: `http://${nowhere}`, OIDC_ISSUER: `http://${nowhere}`, ASSAY_DNS: nowhere },
      ...{ ASSAY_EGRESS_TARGETS: 'none', ASSAY_BLOCK_LISTS: 'none', ASSAY_WEB_APP: 'none' },
    };
    await runDoctor([], { env, stdout: { write }, stderr: { write } });
    expect(out.join('')).toMatch(
      /^PROBLEM +database +The database cannot be used: The certificate of PostgreSQL .* does not trust \(\w+\)\.\n +Name the file/m,
    );
  });
});

it('says that a server offers no TLS', async () => {
  const url = new URL(inject('postgresUrl'));
  url.searchParams.set('sslmode', 'verify-full');
  await expect(askPool(url.href)).rejects.toThrow('offers no TLS. Set `ssl = on` there');
});
