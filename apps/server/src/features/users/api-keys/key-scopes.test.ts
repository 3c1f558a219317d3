import { randomUUID } from 'node:crypto';
import { isOperatorRole, KEY_SCOPES, type KeyScope, needsLiveKey, type RouteContract } from '@assay/contract';
import { allRoutes } from '@assay/contract/operator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';

const calls: RouteContract[] = Object.values(allRoutes).flatMap((feature) =>
  Object.values(feature).filter(({ auth }) => auth !== 'public'),
);

/** What the contract says about a scoped key: the error code of its refusal, or null. */
function refusalOf({ auth, keyScope }: RouteContract, scopes: readonly KeyScope[]): string | null {
  if (isOperatorRole(auth)) return 'route_not_found';
  if (auth === 'user' || keyScope === undefined) return 'api_key_not_accepted';
  return keyScope === 'any' || scopes.includes(keyScope) ? null : `missing_scope_${keyScope}`;
}

describe('every call of the contract by a scoped key', () => {
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    // The stage in which every call of the contract exists.
    api = await startTestApi({
      env: { ASSAY_STAGE: 'staging', RATE_LIMIT_PER_CUSTOMER: '100000' },
    });
    token = await api.tokenFor();
    const { id } = (await api.call('GET', '/users/me', { token })).json();
    await api.database.pool.query('update accounts set guessing_enabled = true where id = $1', [id]);
  });
  afterAll(() => api.close());

  const keyWith = async (scopes: readonly KeyScope[], mode: 'live' | 'test' = 'live'): Promise<string> => {
    const body = { name: 'Matrix', scopes, mode };
    return (await api.call('POST', '/users/api-keys/more', { token, body })).json().api_token;
  };
  /** Made of nothing but its address, so an admitted call is refused later or reads something. */
  const attempt = async ({ method, path }: RouteContract, key: string) => {
    const answer = await api.call(method, path.replace(/:\w+/g, randomUUID()), {
      headers: { 'x-api-key': key },
    });
    expect(answer.statusCode, `${method} ${path}`).toBeLessThan(500);
    const { code, meta } = answer.statusCode < 400 ? {} : answer.json().errors[0];
    if (answer.statusCode !== 403 && code !== 'route_not_found') return null;
    if (code.startsWith('missing_scope_'))
      expect(meta).toEqual({ scope: code.slice('missing_scope_'.length) });
    return code as string;
  };

  const everyScope: readonly KeyScope[] = KEY_SCOPES;
  it.each([
    ['no scope', []],
    ...KEY_SCOPES.map((scope) => [scope, [scope]] as const),
    ...KEY_SCOPES.map((scope) => [`all but ${scope}`, everyScope.filter((one) => one !== scope)] as const),
    ['all scopes', everyScope],
  ] as const)('is admitted or refused as declared: %s', async (_, scopes) => {
    const key = await keyWith(scopes);

    const outcomes: Record<string, string | null> = {};
    const expected: Record<string, string | null> = {};
    for (const call of calls) {
      const name = `${call.method} ${call.path}`;
      outcomes[name] = await attempt(call, key);
      expected[name] = refusalOf(call, scopes);
    }

    expect(outcomes).toEqual(expected);
  });

  it('is admitted or refused alike in test mode', async () => {
    const scopes = everyScope.filter((scope) => !needsLiveKey(scope));
    const key = await keyWith(scopes, 'test');

    for (const call of calls) {
      expect(await attempt(call, key), `${call.method} ${call.path}`).toBe(refusalOf(call, scopes));
    }
  });
});
