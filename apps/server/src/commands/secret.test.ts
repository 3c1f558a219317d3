import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../testing/api.ts';
import { run } from './secret.ts';

describe('assay secret rotate', () => {
  const [oldSecret, newSecret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  let before: TestApi;
  /** Processes with the new secret that still know the old one. */
  let after: TestApi;
  /** Processes that do not. */
  let later: TestApi;
  beforeAll(async () => {
    before = await startTestApi({ env: { ASSAY_SECRET: oldSecret } });
    after = await startTestApi({
      beside: before,
      env: { ASSAY_SECRET: newSecret, ASSAY_PREVIOUS_SECRETS: oldSecret },
    });
    later = await startTestApi({ beside: before, env: { ASSAY_SECRET: newSecret } });
  });
  afterAll(async () => {
    await later.close();
    await after.close();
    await before.close();
  });

  const rotate = async (env: NodeJS.ProcessEnv) => {
    const out: string[] = [];
    const io = { write: (text: string) => out.push(text) };
    const code = await run(['rotate'], {
      env: { DATABASE_URL: before.database.url, ...env },
      stdout: io,
      stderr: io,
    });
    return { code, out: out.join('') };
  };
  const statusWithKey = async (api: TestApi, key: string) =>
    (await api.call('GET', '/billing/me', { headers: { 'x-api-key': key } })).statusCode;

  it('keeps API keys, webhooks and feeds of before, and encrypts them so that the old secret is no longer needed for them', async () => {
    const token = await before.tokenFor();
    const { api_token: first } = (await before.call('POST', '/users/api-keys', { token })).json();
    const scoped = (
      await before.call('POST', '/users/api-keys/more', {
        token,
        body: { name: 'Nightly', mode: 'live', scopes: ['read_results'] },
      })
    ).json();
    const webhook = (
      await before.call('POST', '/users/webhooks', { token, body: { url: 'https://hooks.example/assay' } })
    ).json();
    const feed = (
      await before.call('POST', '/outcomes/feeds', { token, body: { sender: 'postmark' } })
    ).json();
    const postTo = async (api: TestApi) => {
      const headers = { authorization: `Bearer ${feed.secret}` };
      return (await api.call('POST', `/outcomes/feeds/${feed.id}`, { headers, body: [] })).statusCode;
    };
    const reveal = async (api: TestApi) => {
      const [keys, webhooks] = await Promise.all(
        ['/users/api-keys?reveal=true', '/users/webhooks?reveal=true'].map((path) =>
          api.call('GET', path, { token }),
        ),
      );
      return [keys?.json().results[0].api_token, webhooks?.json().results[0].secret];
    };

    expect(await statusWithKey(after, first)).toBe(200);
    expect(await statusWithKey(after, scoped.api_token)).toBe(200);
    expect(await reveal(after)).toEqual([first, webhook.secret]);
    expect(await statusWithKey(later, first)).toBe(401);
    expect(await postTo(after)).toBe(200);

    const secrets = { ASSAY_SECRET: newSecret, ASSAY_PREVIOUS_SECRETS: oldSecret };
    expect(await rotate(secrets)).toEqual({
      code: 0,
      out: 'Encrypted again: 1 API keys, 1 webhooks, 1 feeds, 0 mailboxes.\n',
    });
    expect(await rotate(secrets)).toEqual({
      code: 0,
      out: 'Encrypted again: 0 API keys, 0 webhooks, 0 feeds, 0 mailboxes.\n',
    });
    expect(await statusWithKey(later, first)).toBe(200);
    expect(await postTo(later)).toBe(200);
    expect(await reveal(later)).toEqual([first, webhook.secret]);
    // Only a hash of it is stored, which needs the secret that it was made with.
    expect(await statusWithKey(after, scoped.api_token)).toBe(200);
    expect(await statusWithKey(later, scoped.api_token)).toBe(401);
  });

  it('does not let a person who deleted their account claim the opening credits again', async () => {
    const email = `${randomUUID()}@example.com`;
    const token = await before.tokenFor({ email });
    await before.call('GET', '/users/me', { token });
    expect((await before.call('DELETE', '/users/me', { token })).statusCode).toBe(204);

    const anew = await after.tokenFor({ email });
    await after.call('GET', '/users/me', { token: anew });
    expect((await after.call('GET', '/billing/me', { token: anew })).json().balance).toBe(0);
  });

  it('asks for the previous secrets', async () => {
    await expect(rotate({ ASSAY_SECRET: newSecret })).rejects.toThrow('ASSAY_PREVIOUS_SECRETS must be given');
  });
});
