import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { greetRealtime } from '../../testing/realtime-client.ts';
import { setFeatureFlag } from './index.ts';

describe('feature flags', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  it('§6 switched by the operator, send an event to the customer’s open tabs, which then read them', async () => {
    const token = await api.tokenFor();
    const readMe = async () => (await api.call('GET', '/users/me', { token })).json();
    const { id } = await readMe();
    const tab = await greetRealtime(api, token);

    await setFeatureFlag(api.database.db, id, { flag: 'guessing_enabled', isOn: true });

    expect(await tab.next()).toEqual({ event_type: 'refresh_user', event_metadata: {} });
    expect((await readMe()).feature_flags.guessing_enabled).toBe(true);
    tab.socket.terminate();
  });

  it('a changed profile sends the same event', async () => {
    const token = await api.tokenFor();
    await api.call('GET', '/users/me', { token });
    const tab = await greetRealtime(api, token);

    await api.call('PATCH', '/users/me', { token, body: { first_name: 'Grace' } });

    expect(await tab.next()).toEqual({ event_type: 'refresh_user', event_metadata: {} });
    tab.socket.terminate();
  });
});
