import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWarmUpWorld, type WarmUpWorld } from './testing/warm-up-world.ts';
import { createTokenVault } from './token-vault.ts';

let world: WarmUpWorld;
beforeAll(async () => {
  world = await startWarmUpWorld();
});
afterAll(() => world.close());
// The jobs process all customers' mailboxes, and the first request gets the scripted answer, so each test starts empty.
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

/** Decrypts tokens with the operator's key. */
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

/** The person revokes the consent at the provider. */
async function withdraw(provider: Provider, address: string): Promise<void> {
  const url = world.mailboxes.addresses[provider].connections;
  const page = await (await fetch(url)).text();
  const grant = new RegExp(`${address}[^]*?name="grant" value="([^"]+)"`).exec(page)?.[1] ?? '';
  await fetch(url, { method: 'POST', body: new URLSearchParams({ grant }), redirect: 'manual' });
}

describe.each(both)('tokens of %s', (provider) => {
  it('are refreshed shortly before they expire', async () => {
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
    // Microsoft replaces the refresh token too, and we store the new one.
    expect(second.refreshToken !== first.refreshToken).toBe(provider === 'microsoft');
    world.clock.advance({ minutes: 15 });
    expect(await profileStatus(provider, second.accessToken)).toBe(200);
  });

  it('that were revoked at the provider are erased, and the mailbox shows ENDED', async () => {
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

  it.each(['invalid_grant', 'interaction_required', 'consent_required'])(
    'that need the person again (%s) are erased, and the mailbox shows ENDED',
    async (error) => {
      const { token, address } = await connected(provider);
      world.mailboxes.answerNext({ provider, endpoint: 'token', status: 400, body: { error } });

      world.clock.advance({ minutes: 51 });
      await tend();

      expect(await statusOf(token)).toBe('ENDED');
      expect(await rowOf(address)).toMatchObject({ sealed_tokens: null, refresh_at: null });
    },
  );

  it('are tried again when the provider is down, and the mailbox stays', async () => {
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

  it('is revoked later when Google is down, with growing waits', async () => {
    const { token, address } = await connected('google');
    await remove(token, address);
    const away = { provider: 'google', endpoint: 'revoke', status: 503, body: { error: 'busy' } } as const;
    world.mailboxes.answerNext(away);
    await world.runJob('warmup.revoke-grants');
    expect(await isAllowed(address)).toBe(true);
    expect(await revocations()).toHaveLength(1);

    // Not due yet: no request, so the scripted answer is left for the next attempt.
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

  it('that its owner already revoked at Google counts as revoked', async () => {
    const { token, address } = await connected('google');
    await withdraw('google', address);
    await remove(token, address);

    await world.runJob('warmup.revoke-grants');

    expect(await revocations()).toEqual([]);
  });

  it('that is connected again stays connected: the old revocation is cancelled', async () => {
    const { token, address } = await connected('google');
    await remove(token, address);
    await world.connect(token, 'google', address);

    await world.runJob('warmup.revoke-grants');

    expect(await isAllowed(address)).toBe(true);
    expect(await revocations()).toEqual([]);
  });

  describe('that another customer has connected too', () => {
    const connectedTwice = async () => {
      const first = await connected('google');
      const second = await connected('google', first.address);
      return { address: first.address, tokens: [first.token, second.token] as const };
    };

    it('keeps its consent, which the last of them revokes', async () => {
      const { address, tokens } = await connectedTwice();

      await remove(tokens[0], address);
      await world.runJob('warmup.revoke-grants');
      expect(await isAllowed(address)).toBe(true);
      expect(await revocations()).toEqual([]);

      await remove(tokens[1], address);
      await world.runJob('warmup.revoke-grants');
      expect(await isAllowed(address)).toBe(false);
    });

    it('is revoked once if both remove it at the same time', async () => {
      const { address, tokens } = await connectedTwice();

      await Promise.all(tokens.map((token) => remove(token, address)));

      expect(await revocations()).toHaveLength(1);
      await world.runJob('warmup.revoke-grants');
      expect(await isAllowed(address)).toBe(false);
    });

    it('is revoked if the access of the other has ended', async () => {
      const { address, tokens } = await connectedTwice();
      const { id } = (await world.api.call('GET', '/users/me', { token: tokens[1] })).json();
      await query(
        'update mailbox_credentials set sealed_tokens = null, key_id = null, refresh_at = null where owner_id = $1',
        [id],
      );

      await remove(tokens[0], address);

      expect(await revocations()).toHaveLength(1);
      await world.runJob('warmup.revoke-grants');
    });
  });

  it('that another customer connects stays connected: the old revocation is cancelled', async () => {
    const { token, address } = await connected('google');
    await remove(token, address);
    await connected('google', address);

    await world.runJob('warmup.revoke-grants');

    expect(await isAllowed(address)).toBe(true);
    expect(await revocations()).toEqual([]);
  });

  it('is given up after a month: its tokens are erased and an error is logged', async () => {
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

  it('change: tokens move to the new one, and the metric reaches 0', async () => {
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

  it('that are missing lose nothing: an error is logged, and restoring the key repairs it', async () => {
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

describe('unfinished authorizations', () => {
  it('are deleted when they have expired', async () => {
    await world.authorizationUrl(await world.api.tokenFor(), 'google');
    world.clock.advance({ minutes: 5 });
    await tend();
    expect(await query('select 1 from mailbox_authorizations')).not.toEqual([]);

    world.clock.advance({ minutes: 5 });
    await tend();

    expect(await query('select 1 from mailbox_authorizations')).toEqual([]);
  });
});
