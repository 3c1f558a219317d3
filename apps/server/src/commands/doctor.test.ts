import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCertificate } from '@assay/mail-world';
import { freePort } from '@assay/postgres/testing/free-port';
import { startPayments } from '@assay/stand-ins/payments';
import { startTestMailbox } from '@assay/stand-ins/testing/mailbox';
import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createBareDatabase, createTestDatabase } from '../testing/database.ts';
import { startTestIssuer } from '../testing/issuer.ts';
import { run } from './doctor.ts';
import { run as runPayments } from './payments.ts';

const secretKey = 'sk_test_doctor';
const folder = await mkdtemp(join(tmpdir(), 'assay-doctor-'));
const originOf = (server: Server, scheme = 'http') =>
  `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
await writeFile(join(folder, 'index.html'), '<!doctype html>');
const [database, issuer, payments, mailbox] = await Promise.all([
  createTestDatabase(),
  startTestIssuer(),
  startPayments({ secretKey }),
  startTestMailbox(),
]);
afterAll(async () => {
  await Promise.all([
    database.close(),
    issuer.close(),
    payments.close(),
    mailbox.close(),
    publicSide.close(),
  ]);
  await rm(folder, { recursive: true });
});

/** What browsers reach at PUBLIC_URL. */
async function startPublic(answersOf: (url: string) => Record<string, object>) {
  const server = createHttpServer(({ url: path = '' }, response) => {
    const answer = answersOf(url)[path];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => server.close(resolve)) };
}
const configWith = (seenIssuer: string) => ({
  ...{ stage: 'production', client_id: 'assay-web', audience: 'a', client_key: 'k', docs_url: '/docs' },
  ...{ issuer: seenIssuer, analytics_url: null },
});
const publicSide = await startPublic(() => ({ '/config.json': configWith(issuer.url) }));

const wellEnv = {
  PUBLIC_URL: publicSide.url,
  ASSAY_WEB_APP: folder,
  DATABASE_URL: database.url,
  ASSAY_SECRET: 'a secret of at least thirty-two bytes',
  ASSAY_FILES: folder,
  OIDC_ISSUER: issuer.url,
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: 'whsec_doctor',
  STRIPE_API_URL: payments.origin,
  SMTP_RELAY_URL: mailbox.url,
  ASSAY_EGRESS_TARGETS: 'none',
  ASSAY_BLOCK_LISTS: 'none',
  // A resolver that is not there: nothing of a test may be asked of the outside.
  ASSAY_DNS: `127.0.0.1:${await freePort()}`,
};

/** Passes everything on, but tells clients another process id than PostgreSQL, as poolers do. */
async function startPoolerLike(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const keyData = Buffer.from('4b0000000c', 'hex');
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.pipe(upstream);
    upstream
      .on('end', () => client.end())
      .on('data', (bytes) => {
        const at = bytes.indexOf(keyData);
        if (at >= 0) bytes.writeInt32BE(1, at + keyData.length);
        client.write(bytes);
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, close: () => new Promise((resolve) => server.close(resolve)) };
}

type Command = typeof run;
async function call(command: Command, argv: string[], env: NodeJS.ProcessEnv = {}) {
  const out: string[] = [];
  const write = (text: string) => out.push(text);
  const code = await command(argv, { env: { ...wellEnv, ...env }, stdout: { write }, stderr: { write } });
  return { code, out: out.join('') };
}

describe('assay doctor', () => {
  it('finds nothing to mend where all is well, and leaves no file behind', async () => {
    await call(runPayments, ['setup']);
    const { code, out } = await call(run, []);
    for (const check of [
      'web_app',
      'public_url',
      'database',
      'direct',
      'clock',
      'migrations',
      'storage',
      'disk',
      'identity',
      'public_url',
      'payments',
      'mail_relay',
    ]) {
      expect(out).toMatch(new RegExp(`^ok +${check} `, 'm'));
    }
    expect(out).toMatch(/^skipped +port_25 /m);
    expect(out).toContain('All is well.');
    expect(code).toBe(0);
    expect(await readdir(join(folder, 'doctor'))).toEqual([]);
  });

  it('names each problem with its fix, and keeps secrets to itself', async () => {
    const bare = await createBareDatabase();
    const closed = await freePort();
    const { code, out } = await call(run, [], {
      DATABASE_URL: bare.url,
      ASSAY_FILES: '/dev/null/files',
      OIDC_ISSUER: `${issuer.url}/other`,
      STRIPE_SECRET_KEY: 'sk_test_of_another_account',
      SMTP_RELAY_URL: `smtp://mailer:hunter2@127.0.0.1:${closed}`,
    });
    await bare.drop();
    expect(code).toBe(1);
    const fixes = {
      migrations: 'Run `assay migrate`',
      storage: 'Correct ASSAY_FILES',
      identity: 'write OIDC_ISSUER letter by letter',
      public_url: 'give all its processes the same settings',
      payments: 'Correct STRIPE_SECRET_KEY',
      mail_relay: 'Correct SMTP_RELAY_URL.',
    };
    for (const [check, fix] of Object.entries(fixes)) {
      expect(out).toMatch(new RegExp(`^PROBLEM +${check} .*\\n +.*${fix}`, 'm'));
    }
    expect(out).toContain('Problems: 6.');
    expect(out).not.toMatch(/hunter2|of_another_account/);
  });

  it('says that a newer version has migrated the database', async () => {
    const newer = await createTestDatabase();
    await newer.pool.query(
      `insert into schema_migrations (name, sha256) values ('9999_of_a_newer_version.sql', 'x')`,
    );
    const { code, out } = await call(run, [], { DATABASE_URL: newer.url });
    await newer.close();
    expect(out).toMatch(/^PROBLEM +migrations .*newer.*\n +Run the version/m);
    expect(code).toBe(1);
  });

  it.each([
    ['set version = version + 1', /^PROBLEM +migrations .*newer functions.*\n +Run the version/m],
    [
      `set sha256 = '' where name = 'function append_activity'`,
      /^PROBLEM +migrations +1 functions.*\n +Run `assay migrate`/m,
    ],
  ])('says that functions are not those of this code: %s', async (change, problem) => {
    const other = await createTestDatabase();
    await other.pool.query(`update schema_functions ${change}`);
    const { code, out } = await call(run, [], { DATABASE_URL: other.url });
    await other.close();
    expect(out).toMatch(problem);
    expect(code).toBe(1);
  });

  it('says that the database is away, or that the role may create nothing', async () => {
    const away = await call(run, [], {
      DATABASE_URL: `postgres://assay:hunter2@127.0.0.1:${await freePort()}/assay`,
    });
    expect(away.out).toMatch(/^PROBLEM +database .*\n +Start it, or correct DATABASE_URL\./m);
    expect(away.out).not.toContain('hunter2');

    const admin = new pg.Client({ connectionString: inject('postgresAdminUrl') });
    await admin.connect();
    await admin.query(`create role doctor_looker login password 'looker'`);
    const poor = await call(run, [], {
      DATABASE_URL: Object.assign(new URL(database.url), { username: 'doctor_looker', password: 'looker' })
        .href,
    });
    await admin.query('drop role doctor_looker');
    await admin.end();
    expect(poor.out).toMatch(/^PROBLEM +database .*may not create.*\n +Make it the owner/m);
  });

  it('says that the direct address is away, leads to another database, or to a pooler', async () => {
    const away = new URL(database.url);
    away.port = String(await freePort());
    expect((await call(run, [], { DATABASE_DIRECT_URL: away.href })).out).toMatch(
      /^PROBLEM +direct +DATABASE_DIRECT_URL cannot be used .*ECONNREFUSED.*\n +Correct DATABASE_DIRECT_URL/m,
    );

    const bare = await createBareDatabase();
    const other = await call(run, [], { DATABASE_DIRECT_URL: bare.url });
    await bare.drop();
    expect(other.out).toMatch(/^PROBLEM +direct +.*another database than DATABASE_URL.*\n +Make both lead/m);

    const pooler = await startPoolerLike(database.url);
    const forgotten = await call(run, [], { DATABASE_URL: pooler.url });
    expect(forgotten.out).toMatch(
      /^PROBLEM +direct +DATABASE_URL leads to a pooler.*\n +Set DATABASE_DIRECT_URL/m,
    );
    const well = await call(run, [], { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url });
    await pooler.close();
    expect(well.out).toMatch(/^ok +direct +DATABASE_DIRECT_URL leads to PostgreSQL without a pooler/m);
  });

  it('says that the replica is away, another database or a primary', async () => {
    const away = new URL(database.url);
    away.port = String(await freePort());
    expect((await call(run, [], { DATABASE_REPLICA_URL: away.href })).out).toMatch(
      /^PROBLEM +replica +DATABASE_REPLICA_URL cannot be used .*ECONNREFUSED.*\n +Start the replica/m,
    );

    const bare = await createBareDatabase();
    const other = await call(run, [], { DATABASE_REPLICA_URL: bare.url });
    await bare.drop();
    expect(other.out).toMatch(/^PROBLEM +replica +.*another database than DATABASE_URL/m);
    expect((await call(run, [], { DATABASE_REPLICA_URL: database.url })).out).toMatch(
      /^PROBLEM +replica +.*leads to a primary/m,
    );
    expect((await call(run, [])).out).not.toMatch(/replica/);
  });

  it('says that PUBLIC_URL does not answer, belongs to another program, or leads to a provider that calls itself otherwise', async () => {
    const away = await call(run, [], { PUBLIC_URL: `http://127.0.0.1:${await freePort()}` });
    expect(away.out).toMatch(/^PROBLEM +public_url .*ECONNREFUSED.*\n +Start the API and the proxy/m);
    expect(away.code).toBe(1);
    const strange = await call(run, [], { PUBLIC_URL: payments.origin });
    expect(strange.out).toMatch(/^PROBLEM +public_url .*does not answer as Assay does/m);

    const site = await startPublic((url) => ({
      '/config.json': configWith(`${url}/identity`),
      '/identity/.well-known/openid-configuration': { issuer: 'https://other.test/identity' },
    }));
    const { out } = await call(run, [], { PUBLIC_URL: site.url, OIDC_ISSUER: '', IDENTITY_URL: issuer.url });
    await site.close();
    expect(out).toMatch(
      /^PROBLEM +public_url .*calls itself https:\/\/other.test.*\n +Start `assay identity` with/m,
    );
  });

  it('says that the web app is not built', async () => {
    const { code, out } = await call(run, [], { ASSAY_WEB_APP: join(folder, 'nowhere') });
    expect(out).toMatch(/^PROBLEM +web_app .*no index\.html.*\n +Run `npm run build`/m);
    expect(code).toBe(1);
  });

  it('says that the provider does not take our credentials for its administration', async () => {
    const provider = createHttpServer((_, response) => response.writeHead(401).end('{}'));
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const { out } = await call(run, [], {
      OIDC_ADMIN_KIND: 'keycloak',
      OIDC_ADMIN_URL: `${originOf(provider)}/realms/assay`,
      OIDC_ADMIN_CLIENT_ID: 'assay-admin',
      OIDC_ADMIN_CLIENT_SECRET: 'hunter2',
    });
    provider.close();
    expect(out).toMatch(/^PROBLEM +identity_admin .*\(401\)\.\n +Correct .*OIDC_ADMIN_CLIENT_SECRET/m);
    expect(out).not.toContain('hunter2');
  });

  it('tells a certificate that is not trusted from a provider or product that is away', async () => {
    const server = createHttpsServer(readCertificate(), (_, response) => response.end('{}'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = originOf(server, 'https');
    const { out } = await call(run, [], { OIDC_ISSUER: origin, PUBLIC_URL: origin });
    server.close();
    for (const check of ['identity', 'public_url'])
      expect(out).toMatch(
        new RegExp(
          `^PROBLEM +${check} +This machine does not trust the certificate .*\\n.*NODE_EXTRA_CA_CERTS`,
          'm',
        ),
      );
  });

  it('names plans that Stripe has no price for', async () => {
    const empty = await startPayments({ secretKey });
    const { out } = await call(run, [], { STRIPE_API_URL: empty.origin });
    await empty.close();
    expect(out).toMatch(/^PROBLEM +payments +Stripe has no price for FREE.*\n +Run `assay payments setup`/m);
  });
});
