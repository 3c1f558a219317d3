import { describe, expect, it } from 'vitest';
import { startLoopbackService } from '../testing/loopback-service.ts';
import { removeCredential } from './remove-credentials.ts';

const account = { email: 'a+b@exists.test', provider: 'MICROSOFT' } as const;
const first = 'DELETE /warm-up/oauth/credentials?accountEmail=a%2Bb%40exists.test';
const second = 'DELETE /warm-up/microsoft/oauth/credentials?accountEmail=a%2Bb%40exists.test';

describe('§7 removing a credential', () => {
  it('§7 asks once when it is done', async () => {
    const { api, asked } = await startLoopbackService({ status: 204 });

    await removeCredential(api, account);

    expect(asked).toEqual([first]);
  });

  it.each([500, 502, 503])('§7 on %i it asks the provider’s own call', async (status) => {
    const { api, asked } = await startLoopbackService({ status }, { status: 204 });

    await removeCredential(api, account);

    expect(asked).toEqual([first, second]);
  });

  it.each([400, 404, 429])('§7 but not on %i', async (status) => {
    const { api, asked } = await startLoopbackService({ status }, { status: 204 });

    await expect(removeCredential(api, account)).rejects.toThrow('Failed to remove credential');

    expect(asked).toEqual([first]);
  });

  it('§7 nor when it does not know whose it is', async () => {
    const { api, asked } = await startLoopbackService({ status: 500 });

    await expect(removeCredential(api, { ...account, provider: 'UNKNOWN' })).rejects.toThrow();

    expect(asked).toHaveLength(1);
  });

  it.each([
    ['application/json', '{"errors":[{"code":"x","message":"Not connected."}]}', 'Not connected.'],
    ['text/plain', 'The mailbox is busy.', 'The mailbox is busy.'],
    ['text/html', '<h1>Oh</h1>', 'Failed to remove credential'],
    ['application/json', '', 'Failed to remove credential'],
  ])('§7 the failure text is the response body: %s %s', async (type, body, message) => {
    const { api } = await startLoopbackService({ status: 404, type, body });

    await expect(removeCredential(api, account)).rejects.toThrow(message);
  });

  it('a mailbox that another tab has removed is removed', async () => {
    const body = '{"errors":[{"code":"mailbox_not_found","message":"This account is not connected."}]}';
    const { api } = await startLoopbackService({ status: 404, type: 'application/json', body });

    await expect(removeCredential(api, account)).resolves.toBeUndefined();
  });

  it('§7 and that of the second call when both fail', async () => {
    const { api } = await startLoopbackService(
      { status: 500 },
      { status: 503, type: 'text/plain', body: 'Come back later.' },
    );

    await expect(removeCredential(api, account)).rejects.toThrow('Come back later.');
  });
});
