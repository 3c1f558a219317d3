import { describe, expect, it } from 'vitest';
import { startLoopbackService, unreachableService } from '../testing/loopback-service.ts';
import { finishAuthorization } from './finish-authorization.ts';

const answer = { code: '4/0 a&b', state: 's.1' };

describe('§7 POST /warm-up/oauth/{google|microsoft}/callback', () => {
  it.each([
    ['GOOGLE', 'google'],
    ['MICROSOFT', 'microsoft'],
  ] as const)('§7 posts code and state form-encoded to %s', async (provider, path) => {
    const { api, asked } = await startLoopbackService({ status: 200, body: '{}' });

    await finishAuthorization(api, provider, answer);

    expect(asked).toEqual([`POST /warm-up/oauth/${path}/callback code=4%2F0+a%26b&state=s.1`]);
  });

  it("§8 fails with the response body, or 'Callback failed ({status})'", async () => {
    const { api } = await startLoopbackService(
      { status: 400, body: '{"errors":[{"code":"x","message":"Connect the account again."}]}' },
      { status: 502, type: 'text/html', body: '<h1>Bad gateway</h1>' },
    );

    await expect(finishAuthorization(api, 'GOOGLE', answer)).rejects.toThrow('Connect the account again.');
    await expect(finishAuthorization(api, 'GOOGLE', answer)).rejects.toThrow('Callback failed (502)');
  });

  it("§8 an answer that is none is an 'Unexpected error'", async () => {
    const { api } = await startLoopbackService({ status: 200, type: 'text/html', body: '<h1>Sign in</h1>' });

    await expect(finishAuthorization(api, 'GOOGLE', answer)).rejects.toThrow('Unexpected error');
  });

  it('§8 says what kept an answer from coming', async () => {
    await expect(finishAuthorization(unreachableService(), 'GOOGLE', answer)).rejects.toThrow(
      'The server could not be reached',
    );
  });
});
