import { usersRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';

describe('PATCH /users/me', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  const patch = (token: string, body: unknown) => api.call('PATCH', '/users/me', { token, body });
  const readMe = async (token: string) => (await api.call('GET', '/users/me', { token })).json();

  it('§7 200 with the changed user, names trimmed and the phone in E.164', async () => {
    const token = await api.tokenFor();
    const before = await readMe(token);

    const answer = await patch(token, {
      first_name: ' Zoë ',
      last_name: "O'Neill",
      phone: '+34 600-123-456',
    });

    expect(answer.statusCode).toBe(200);
    expect(usersRoutes.updateMe.success.schema.safeParse(answer.json()).success).toBe(true);
    expect(answer.json()).toEqual({
      ...before,
      first_name: 'Zoë',
      last_name: "O'Neill",
      phone: '+34600123456',
    });
    expect(await readMe(token)).toEqual(answer.json());
  });

  it('200 and leaves absent fields unchanged', async () => {
    const token = await api.tokenFor();
    const before = await readMe(token);

    expect((await patch(token, { phone: '+14155552671' })).json()).toEqual({
      ...before,
      phone: '+14155552671',
    });
    expect((await patch(token, {})).json()).toEqual({ ...before, phone: '+14155552671' });
  });

  it('200 changes only the caller', async () => {
    const [mine, theirs] = [await api.tokenFor(), await api.tokenFor()];
    const before = await readMe(theirs);

    await patch(mine, { first_name: 'Changed' });

    expect(await readMe(theirs)).toEqual(before);
  });

  it.each([
    [{ first_name: '' }, 'First name required', 'first_name'],
    [{ first_name: 'A' }, 'First name requires at least 2 characters', 'first_name'],
    [{ last_name: 'x'.repeat(51) }, 'Last name requires no more than 50 characters', 'last_name'],
    [{ last_name: 'R2D2' }, 'Last name requires valid characters', 'last_name'],
    [{ phone: '+' }, 'Phone number required', 'phone'],
    [{ phone: ' ' }, 'Phone number required', 'phone'],
    [{ phone: '600123456' }, 'A valid phone number is required', 'phone'],
    [{ phone: '+3545812' }, 'A valid phone number is required', 'phone'],
  ])('§5 400 for %j with the text of the form, and nothing changes', async (body, message, field) => {
    const token = await api.tokenFor();
    const before = await readMe(token);

    const answer = await patch(token, { first_name: 'Changed', ...body });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0]).toMatchObject({ code: 'invalid_request', message, meta: { field } });
    expect(await readMe(token)).toEqual(before);
  });

  it('400 for a field that the customer may not change', async () => {
    const answer = await patch(await api.tokenFor(), { email_address: 'other@example.com' });

    expect(answer.statusCode).toBe(400);
  });

  it('§6 401 when signed out', async () => {
    expect((await api.call('PATCH', '/users/me', { body: { first_name: 'Ada' } })).statusCode).toBe(401);
  });
});
