import { KEY_SCOPES, type KeyScope } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';

const singles = '/validations/email_validation';

describe('the checks of a key that may verify and not read results', () => {
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    api = await startTestApi();
    token = await api.tokenFor();
  });
  afterAll(() => api.close());

  const keyWith = async (owner: string, scopes: readonly KeyScope[]) => {
    const body = { name: 'Shop', scopes };
    const { api_token } = (await api.call('POST', '/users/api-keys/more', { token: owner, body })).json();
    return { authorization: `Bearer ${api_token}` };
  };
  const start = async (caller: { token: string } | { headers: Record<string, string> }) => {
    const answer = await api.call('POST', singles, { ...caller, body: { email: 'jane@exists.test' } });
    expect(answer.statusCode).toBe(201);
    return String(answer.headers.location).replace(/^\/api/, '');
  };
  const codeOf = (answer: { json(): { errors?: { code: string }[] } }) => answer.json().errors?.[0]?.code;

  it('200 at the location of a check that it started', async () => {
    const headers = await keyWith(token, ['verify']);

    const answer = await api.call('GET', await start({ headers }), { headers });

    expect([answer.statusCode, answer.json().email_address]).toEqual([200, 'jane@exists.test']);
  });

  it('403 for checks of the person, of another key and of another customer, and for the list of checks', async () => {
    const headers = await keyWith(token, ['verify']);
    const other = await keyWith(token, [...KEY_SCOPES]);
    const stranger = await api.tokenFor();
    const places = [
      await start({ token }),
      await start({ headers: other }),
      await start({ token: stranger }),
      await start({ headers: await keyWith(stranger, ['verify']) }),
      singles,
    ];

    for (const place of places) {
      const answer = await api.call('GET', place, { headers });
      expect([answer.statusCode, codeOf(answer)], place).toEqual([403, 'missing_scope_read_results']);
    }
  });

  it('403 without the scope verify, even for a check that the key started before it lost the scope', async () => {
    const headers = await keyWith(token, ['verify']);
    const place = await start({ headers });
    const { results } = (await api.call('GET', '/users/api-keys/more', { token })).json();
    await api.call('PATCH', `/users/api-keys/more/${results[0].id}`, { token, body: { scopes: [] } });

    expect(codeOf(await api.call('GET', place, { headers }))).toBe('missing_scope_read_results');
  });
});
