import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startIdentity } from '@assay/identity';
import { Visitor } from '@assay/pages/testing/visitor';
import { freePort } from '@assay/postgres/testing/free-port';
import { codeIn, startTestMailbox } from '@assay/stand-ins/testing/mailbox';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../src/testing/database.ts';
import { demoAccount } from './demo-account.ts';
import { refuseTrialAccounts } from './identity.ts';
import { webAppAddresses } from './settings.ts';

const assay = fileURLToPath(new URL('../assay.mjs', import.meta.url));
const [database, mailbox] = await Promise.all([createTestDatabase(), startTestMailbox()]);
const running: ChildProcess[] = [];
afterAll(async () => {
  await Promise.all(running.map(stop));
  await Promise.all([database.close(), mailbox.close()]);
});

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Starts `assay identity` or `assay api`, and waits until it serves. */
async function launch(command: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [assay, command], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  running.push(child);
  for await (const text of child.stdout ?? []) if (String(text).includes('"serving"')) return child;
  throw new Error(`assay ${command} ended.`);
}

describe('assay identity', () => {
  it('serves people through each of two API processes, and goes on in another process after a kill', async () => {
    const [port, otherPort, identityPort] = [await freePort(), await freePort(), await freePort()];
    const common = {
      DATABASE_URL: database.url,
      ASSAY_SECRET: 'a secret of at least thirty-two bytes',
      PUBLIC_URL: `http://localhost:${port}`,
      SMTP_RELAY_URL: mailbox.url,
      IDENTITY_URL: `http://127.0.0.1:${identityPort}`,
      IDENTITY_PORT: String(identityPort),
    };
    const apiOf = async (own: number) =>
      launch('api', { ...common, PORT: String(own), METRICS_PORT: String(await freePort()) });
    const [first] = await Promise.all([launch('identity', common), apiOf(port), apiOf(otherPort)]);

    const { rows: processes } = await database.pool.query('select kind from live_processes order by kind');
    expect(processes.map(({ kind }) => kind)).toEqual(['api', 'api', 'identity']);

    const issuer = `${common.PUBLIC_URL}/identity`;
    const redirectUri = `${common.PUBLIC_URL}/redirect`;
    const config = (await (await fetch(`http://localhost:${otherPort}/config.json`)).json()) as Record<
      string,
      string
    >;
    expect(config).toMatchObject({ issuer, scope: 'openid profile email' });
    const verifier = randomBytes(32).toString('base64url');
    const visitor = new Visitor(common.PUBLIC_URL);
    const query = new URLSearchParams({
      client_id: config.client_id ?? '',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      resource: config.audience ?? '',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const signIn = await visitor.open(`${issuer}/auth?${query}`);
    const form = await visitor.follow(signIn, 'Create an account');
    const person = {
      first_name: 'Ada',
      last_name: 'King',
      email: 'ada@exists.test',
      password: 'copper beads in a cupel',
    };
    const codePage = await visitor.submit(form, person);
    expect(codePage.url.pathname).toMatch(/\/code$/);

    first.kill('SIGKILL');
    await once(first, 'exit');
    const away = await visitor.open(codePage.url);
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    await launch('identity', common);
    const { url } = await visitor.submit(codePage, { code: codeIn(await mailbox.take(person.email)) });
    expect(url.pathname).toBe('/redirect');

    const answer = await fetch(`http://localhost:${otherPort}/identity/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: config.client_id ?? '',
        code: url.searchParams.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: redirectUri,
        resource: config.audience ?? '',
      }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    for (const api of [port, otherPort]) {
      const me = await fetch(`http://localhost:${api}/api/users/me`, { headers });
      expect(await me.json()).toMatchObject({ email_address: person.email });
    }
    // The API manages accounts with the secret that both derive.
    const changed = await fetch(`http://localhost:${otherPort}/api/users/me/password`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ current_password: person.password, new_password: 'plumb-line-and-balance' }),
    });
    expect(changed.ok).toBe(true);
    // Four processes start, which takes long on a busy machine.
  }, 240_000);

  it('refuses a database with the demo account of a trial', async () => {
    const trial = await createTestDatabase();
    await expect(refuseTrialAccounts(trial.url)).resolves.toBeUndefined();
    const port = await freePort();
    const identity = await startIdentity({
      ...{ databaseUrl: trial.url, port, issuer: `http://localhost:${port}`, audience: 'a', clientId: 'c' },
      ...webAppAddresses('http://localhost'),
      demo: demoAccount,
    });
    await identity.close();
    await expect(refuseTrialAccounts(trial.url)).rejects.toThrow(
      'This database was made for a trial: it has the account demo@assay.test',
    );
    await trial.close();
  });
});
