import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseActivities } from '../activity/index.ts';
import { startWarmUpWorld, type WarmUpWorld } from './testing/warm-up-world.ts';
import { createTokenVault } from './token-vault.ts';

let world: WarmUpWorld;
beforeAll(async () => {
  world = await startWarmUpWorld();
});
afterAll(() => world.close());

const query = async (text: string, values: unknown[] = []) =>
  (await world.api.database.pool.query(text, values)).rows;

/** Every row of every table of every schema, as text, as in a copy of the database. */
async function dumpDatabase(): Promise<string> {
  const tables = await query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['public.mailbox_credentials', 'public.mailbox_revocations', 'queue.job']),
  );
  const rows = [];
  for (const { name } of tables) rows.push(...(await query(`select t::text as line from ${name} as t`)));
  return rows.map(({ line }) => line).join('\n');
}

/** A secret in plain and in the encodings of databases and logs. */
const disguises = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('base64').slice(4, -4)];
};

async function openAll(table: 'mailbox_credentials' | 'mailbox_revocations') {
  const vault = createTokenVault([], world.api.config.secret);
  return (await query(`select id, sealed_tokens, key_id from ${table}`)).map(
    ({ id, sealed_tokens, key_id }) => vault.openTokens(id, { sealed: sealed_tokens, keyId: key_id }),
  );
}

describe('tokens', () => {
  it('are unreadable in a dump of the database, in the log and in every answer', async () => {
    const token = await world.api.tokenFor();
    const path = '/warm-up/oauth/credentials';
    const google = await world.authorizationUrl(token, 'google');
    const back = await world.decide(google, 'secret.one@exists.test');
    const bodies = [(await world.finish(token, 'google', back)).body];
    bodies.push((await world.connect(token, 'microsoft', 'secret.two@exists.test')).body);
    bodies.push((await world.connect(token, 'google', 'secret.three@exists.test')).body);
    const onTheWay = await world.authorizationUrl(token, 'google');
    bodies.push((await world.api.call('GET', path, { token })).body);
    const kept = await openAll('mailbox_credentials');
    world.clock.advance({ minutes: 51 });
    await world.runJob('warmup.tend-mailboxes');
    kept.push(...(await openAll('mailbox_credentials')));
    // Refused, so that errors are logged too. One removed mailbox waits for its revocation.
    world.mailboxes.answerNext({ provider: 'google', endpoint: 'revoke', status: 500, body: {} });
    await world.api.call('DELETE', `${path}?accountEmail=secret.three@exists.test`, { token });
    await world.runJob('warmup.revoke-grants');
    bodies.push((await world.finish(token, 'google', back)).body);

    const dump = await dumpDatabase();

    expect(dump).toContain('secret.one@exists.test');
    expect(await openAll('mailbox_revocations')).toHaveLength(1);
    const secrets = kept.flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
    expect(new Set(secrets).size).toBeGreaterThanOrEqual(8);
    secrets.push(back.searchParams.get('code') ?? '', back.searchParams.get('state') ?? '');
    secrets.push(new URL(onTheWay).searchParams.get('state') ?? '');
    const log = JSON.stringify([world.api.logLines, world.workerLog]);
    expect(log).toContain('could not revoke');
    for (const secret of secrets.flatMap(disguises)) {
      expect(dump).not.toContain(secret);
      expect(log).not.toContain(secret);
      expect(bodies.join('\n')).not.toContain(secret);
    }
  });

  it('cannot be decrypted in another row', async () => {
    const token = await world.api.tokenFor();
    await world.connect(token, 'google', 'moved@exists.test');
    const [row] = await query(
      "select id, sealed_tokens, key_id from mailbox_credentials where account_email = 'moved@exists.test'",
    );
    const vault = createTokenVault([], world.api.config.secret);

    expect(() =>
      vault.openTokens('00000000-0000-0000-0000-000000000000', {
        sealed: row.sealed_tokens,
        keyId: row.key_id,
      }),
    ).toThrow();
  });
});

describe('DELETE /users/me', () => {
  it('revokes the mailboxes at Google and leaves neither address nor token', async () => {
    const token = await world.api.tokenFor();
    const [google, microsoft] = ['leaver.one@exists.test', 'leaver.two@exists.test'];
    await world.connect(token, 'google', google);
    await world.connect(token, 'microsoft', microsoft);
    await world.authorizationUrl(token, 'microsoft');
    const { id } = (await world.api.call('GET', '/users/me', { token })).json();

    expect((await world.api.call('DELETE', '/users/me', { token })).statusCode).toBe(204);
    // As the job does that removes the remains of an account.
    await eraseActivities(world.api.database.db, id, new AbortController().signal);

    const dump = await dumpDatabase();
    expect(dump).not.toContain(google);
    expect(dump).not.toContain(microsoft);
    expect(await query('select 1 from mailbox_authorizations where owner_id = $1', [id])).toEqual([]);
    const consents = async () => (await world.mailboxes.consents('google')).map(({ address }) => address);
    expect(await consents()).toContain(google);
    await world.runJob('warmup.revoke-grants');
    expect(await consents()).not.toContain(google);
  });
});
