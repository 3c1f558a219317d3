import type { ValidationList } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';

describe('a download_link', () => {
  const clock = movableClock();
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ clock });
  });
  afterAll(() => api.close());

  it('works for an hour, then answers 410 export_expired', async () => {
    const token = await api.tokenFor();
    const body = { emails: ['jane@exists.test'] };
    const { id } = (await api.call('POST', '/validations/lists', { token, body })).json<ValidationList>();
    const ordered = await api.call('POST', `/validations/lists/${id}/export?status=VALID`, { token });
    const { pathname, search } = new URL(ordered.json().download_link);
    const follow = () => api.app.inject({ url: pathname + search });

    clock.advance({ minutes: 59, seconds: 59 });
    expect((await follow()).statusCode).toBe(200);
    clock.advance({ seconds: 1 });
    const answer = await follow();

    expect(answer.json().errors[0]).toMatchObject({
      http_status: 410,
      code: 'export_expired',
      message: expect.stringContaining('Ask for the download again'),
    });
  });
});
