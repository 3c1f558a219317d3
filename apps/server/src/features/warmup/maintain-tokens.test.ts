import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWarmUpWorld, type WarmUpWorld } from './testing/warm-up-world.ts';
import { createTokenVault } from './token-vault.ts';

let world: WarmUpWorld;
beforeAll(async () => {
  world = await startWarmUpWorld();
});
afterAll(() => world.close());
// The jobs tend to everybody's mailboxes, and an odd answer is for whoever asks first.
beforeEach(async () => {
  await world.api.database.pool.query('delete from mailbox_credentials');
});

const both = ['google', 'microsoft'] as const;
type Provider = (typeof both)[number];
const newAddress = () => `${randomUUID().slice(0, 8)}@exists.test`;
const query = async (text: string, values: unknown[] = []) =>
  (await world.api.database.pool.query(text, values)).rows;
const rowOf = async (address: string) =>
  (await query('select * from mailbox_credentials where account_email = $1', [address]))[0];
const tend = () => world.runJob('warmup.tend-mailboxes');

async function connected(provider: Provider, address = newAddress()) {
  const token = await world.api.tokenFor();
  expect((await world.connect(token, provider, address)).statusCode).toBe(200);
  return { token, address };
}

/** As the operator's own key opens them; only tests look inside. */
async function tokensOf(address: string, keys: readonly string[] = []) {
  const { id, sealed_tokens, key_id } = await rowOf(address);
  return createTokenVault(keys, world.api.config.secret).openTokens(id, {
    sealed: sealed_tokens,
    keyId: key_id,
  });
}

const profileStatus = async (provider: Provider, token: string) =>
  (
    await fetch(world.mailboxes.addresses[provider].profile, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;
const statusOf = async (token: string) =>
  (await world.api.call('GET', '/warm-up/oauth/credentials', { token })).json().credentials[0]?.status;

/** The person takes consent back at the provider, without telling us. */
async function withdraw(provider: Provider, address: string): Promise<void> {
  const url = world.mailboxes.addresses[provider].connections;
  const page = await (await fetch(url)).text();
  const grant = new RegExp(`${address}[^]*?name="grant" value="([^"]+)"`).exec(page)?.[1] ?? '';
  await fetch(url, { method: 'POST', body: new URLSearchParams({ grant }), redirect: 'manual' });
}

describe.each(both)('tokens of %s', (provider) => {
  it('are refreshed before they expire, and not sooner', async () => {
    const { address } = await connected(provider);
    const first = await tokensOf(address);

    world.clock.advance({ minutes: 45 });
    await tend();
    expect(await tokensOf(address)).toEqual(first);

    world.clock.advance({ minutes: 6 });
    expect(await profileStatus(provider, first.accessToken)).toBe(200);
    await tend();

    const second = await tokensOf(address);
    expect(second.accessToken).not.toBe(first.accessToken);
    // Microsoft replaces the refresh token too, and the new one is the one that is kept.
    expect(second.refreshToken !== first.refreshToken).toBe(provider === 'microsoft');
    world.clock.advance({ minutes: 15 });
    expect(await profileStatus(provider, second.accessToken)).toBe(200);
  });

  it('that were revoked at the provider end the mailbox: it says so, and nothing of them is kept', async () => {
    const { token, address } = await connected(provider);
    expect(await statusOf(token)).toBe('CONNECTED');
    await withdraw(provider, address);

    world.clock.advance({ hours: 1 });
    await tend();

    expect(await statusOf(token)).toBe('ENDED');
    expect(await rowOf(address)).toMatchObject({ sealed_tokens: null, key_id: null, refresh_at: null });
    expect((await world.connect(token, provider, address)).statusCode).toBe(200);
    expect(await statusOf(token)).toBe('CONNECTED');
  });

  it('are tried again when the provider is away, and the mailbox stays', async () => {
    const { token, address } = await connected(provider);
    const first = await tokensOf(address);
    world.clock.advance({ minutes: 51 });
    world.mailboxes.answerNext({ provider, endpoint: 'token', status: 503, body: { error: 'busy' } });
    await tend();
    expect(await statusOf(token)).toBe('CONNECTED');
    expect(await tokensOf(address)).toEqual(first);

    world.clock.advance({ minutes: 2 });
    await tend();

    expect((await tokensOf(address)).accessToken).not.toBe(first.accessToken);
  });
});

describe('a removed mailbox', () => {
  const revocations = () => query('select id, attempt_at from mailbox_revocations');
  const isAllowed = async (address: string) =>
    (await world.mailboxes.consents('google')).some((consent) => consent.address === address);
  const remove = (token: string, address: string) =>
    world.api.call('DELETE', `/warm-up/oauth/credentials?accountEmail=${address}`, { token });

  it('is revoked later when Google is away, as often as it takes, at growing distances', async () => {
    const { token, address } = await connected('google');
    await remove(token, address);
    const away = { provider: 'google', endpoint: 'revoke', status: 503, body: { error: 'busy' } } as const;
    world.mailboxes.answerNext(away);
    await world.runJob('warmup.revoke-grants');
    expect(await isAllowed(address)).toBe(true);
    expect(await revocations()).toHaveLength(1);

    // Not due yet: nothing is asked, so the odd answer is still there for the next attempt.
    world.mailboxes.answerNext(away);
    await tend();
    world.clock.advance({ minutes: 1 });
    await tend();
    expect(await isAllowed(address)).toBe(true);

    world.clock.advance({ minutes: 2 });
    await tend();
    expect(await isAllowed(address)).toBe(false);
    expect(await revocations()).toEqual([]);
  });

  it('that its owner revoked at Google already is no complaint', async () => {
    const { token, address } = await connected('google');
    await withdraw('google', address);
    await remove(token, address);

    await world.runJob('warmup.revoke-grants');

    expect(await revocations()).toEqual([]);
  });

  it('that is connected again at once stays connected: the old revocation is called off', async () => {
    const { token, address } = await connected('google');
    await remove(token, address);
    await world.connect(token, 'google', address);

    await world.runJob('warmup.revoke-grants');

    expect(await isAllowed(address)).toBe(true);
    expect(await revocations()).toEqual([]);
  });

  it('is given up after a month, its tokens erased and the operator told', async () => {
    const { token, address } = await connected('google');
    await remove(token, address);
    world.clock.advance({ days: 31 });
    world.mailboxes.answerNext({ provider: 'google', endpoint: 'revoke', status: 503, body: {} });

    await world.runJob('warmup.revoke-grants');

    expect(await revocations()).toEqual([]);
    expect(world.workerLog.at(-1)).toMatchObject({ level: 'error', is_last: true });
  });
});

describe('keys', () => {
  const [oldKey, newKey] = ['an old key of the operator, 32 bytes.', 'a new key of the operator, 32 bytes.'];

  it('change: tokens move to the new one, and the old one may go when the metric says 0', async () => {
    const { address } = await connected('google');
    const tokens = await tokensOf(address);
    const sealedBefore = (await rowOf(address)).sealed_tokens;

    await world.runJob('warmup.tend-mailboxes', [oldKey]);
    expect((await rowOf(address)).sealed_tokens).not.toBe(sealedBefore);
    expect(await tokensOf(address, [oldKey])).toEqual(tokens);

    await world.runJob('warmup.tend-mailboxes', [newKey, oldKey]);
    expect(await tokensOf(address, [newKey])).toEqual(tokens);
    await expect(tokensOf(address, [oldKey])).rejects.toThrow('not in the configuration');
  });

  it('that are missing lose nothing: the operator is told, and giving the key back mends it', async () => {
    const { token, address } = await connected('google');
    await world.runJob('warmup.tend-mailboxes', [oldKey]);
    world.clock.advance({ minutes: 55 });

    await tend();

    expect(await statusOf(token)).toBe('CONNECTED');
    expect(world.workerLog.at(-1)).toMatchObject({ level: 'error', err: { type: 'KeyMissing' } });
    expect(await world.metrics.registry.metrics()).toMatch(/assay_mailbox_tokens_under_other_keys [1-9]/);
    world.clock.advance({ minutes: 5 });
    await world.runJob('warmup.tend-mailboxes', [oldKey]);
    expect(await profileStatus('google', (await tokensOf(address, [oldKey])).accessToken)).toBe(200);
  });
});

describe('trips that nobody came back from', () => {
  it('are forgotten when they have expired', async () => {
    await world.authorizationUrl(await world.api.tokenFor(), 'google');
    world.clock.advance({ minutes: 5 });
    await tend();
    expect(await query('select 1 from mailbox_authorizations')).not.toEqual([]);

    world.clock.advance({ minutes: 5 });
    await tend();

    expect(await query('select 1 from mailbox_authorizations')).toEqual([]);
  });
});
