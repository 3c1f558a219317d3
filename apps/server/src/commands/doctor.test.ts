import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPayments } from '@assay/stand-ins/payments';
import { startTestMailbox } from '@assay/stand-ins/testing/mailbox';
import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createBareDatabase, createTestDatabase } from '../testing/database.ts';
import { freePort } from '../testing/free-port.ts';
import { startTestIssuer } from '../testing/issuer.ts';
import { run } from './doctor.ts';
import { run as runPayments } from './payments.ts';

const secretKey = 'sk_test_doctor';
const folder = await mkdtemp(join(tmpdir(), 'assay-doctor-'));
const [database, issuer, payments, mailbox] = await Promise.all([
  createTestDatabase(),
  startTestIssuer(),
  startPayments({ secretKey }),
  startTestMailbox(),
]);
afterAll(async () => {
  await Promise.all([database.close(), issuer.close(), payments.close(), mailbox.close()]);
  await rm(folder, { recursive: true });
});

const wellEnv = {
  PUBLIC_URL: 'https://assay.test',
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
      'database',
      'clock',
      'migrations',
      'storage',
      'disk',
      'identity',
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
      payments: 'Correct STRIPE_SECRET_KEY',
      mail_relay: 'Correct SMTP_RELAY_URL.',
    };
    for (const [check, fix] of Object.entries(fixes)) {
      expect(out).toMatch(new RegExp(`^PROBLEM +${check} .*\\n +.*${fix}`, 'm'));
    }
    expect(out).toContain('Problems: 5.');
    expect(out).not.toMatch(/hunter2|of_another_account/);
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

  it('names plans that Stripe has no price for', async () => {
    const empty = await startPayments({ secretKey });
    const { out } = await call(run, [], { STRIPE_API_URL: empty.origin });
    await empty.close();
    expect(out).toMatch(/^PROBLEM +payments +Stripe has no price for FREE.*\n +Run `assay payments setup`/m);
  });
});
