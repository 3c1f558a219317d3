import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@assay/postgres';
import pg from 'pg';
import { makeDataFolder } from '../../../testing/data-folder.ts';

/**
 * A private authority and its certificates for `localhost` (`server`) and `db.example.test` (`other-name`), both with the same key, which is
 * public and protects nothing. To make them anew: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj
 * "/CN=Assay test authority" -keyout ca.key -out authority.pem`, and for each name `openssl req -new` and `openssl x509 -req -CA authority.pem
 * -CAkey ca.key -days 36500` with the name as subjectAltName.
 */
const pathOf = (name: string): string =>
  fileURLToPath(new URL(`./certificates/${name}.pem`, import.meta.url));
export const authorityFile = pathOf('authority');

const readyMs = 20_000;

/** A PostgreSQL of its own that lets nobody in without TLS, with a certificate for `localhost`. */
export async function startTlsPostgres() {
  const folder = await makeDataFolder('assay-tls-');
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { fsync: 'off' } });
  const changedBy = async (address: string, ...statements: string[]) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const urlWith = (address: string, parameters: Record<string, string>): string => {
    const url = new URL(address);
    // The name in the certificate.
    url.hostname = 'localhost';
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  };
  const adminUrl = urlWith(server.adminUrl, { sslmode: 'no-verify' });

  // The server writes its files itself, so they belong to its user.
  await changedBy(
    server.adminUrl,
    writing('server.key', readFileSync(pathOf('server.key'), 'utf8')),
    writing('server.crt', readFileSync(pathOf('server'), 'utf8')),
    writing('pg_hba.conf', 'hostssl all all all scram-sha-256\n'),
    'alter system set ssl = on',
    'select pg_reload_conf()',
  );
  await untilShown(adminUrl, 'server');
  return {
    urlWith: (parameters: Record<string, string>) => urlWith(server.url, parameters),
    show: async (name: 'server' | 'other-name') => {
      await changedBy(
        adminUrl,
        writing('server.crt', readFileSync(pathOf(name), 'utf8')),
        'select pg_reload_conf()',
      );
      await untilShown(adminUrl, name);
    },
    close: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Into the data folder, where only the server's user may read it. */
const writing = (file: string, text: string): string =>
  `copy (select unnest(string_to_array(${pg.escapeLiteral(text.trimEnd())}, E'\\n')))
   to program ${pg.escapeLiteral(`umask 077; cat > ${file}`)}`;

/** PostgreSQL loads its settings again a moment after it was asked. */
async function untilShown(adminUrl: string, name: string): Promise<void> {
  const { fingerprint256 } = new X509Certificate(readFileSync(pathOf(name)));
  for (const endsAt = performance.now() + readyMs; performance.now() < endsAt; await pause(20)) {
    const client = new pg.Client({ connectionString: adminUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { stream } = client.connection as unknown as {
        stream: { getPeerCertificate(): { fingerprint256: string } };
      };
      if (stream.getPeerCertificate().fingerprint256 === fingerprint256) return;
    } catch {
      // Not yet.
    } finally {
      await client.end();
    }
  }
  throw new Error(`PostgreSQL does not show the certificate ${name}.`);
}
