import { supportRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';

describe('POST /users/support_cases', () => {
  const clock = movableClock();
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi({ clock });
  });
  afterAll(() => api.close());

  const callRequest = { subject: 'Call Requested', description: 'Call +34 600 123 456' };
  const open = (token: string, body: unknown = callRequest) =>
    api.call('POST', '/users/support_cases', { token, body });
  const storedCases = () => api.database.db.selectFrom('support_cases').selectAll().execute();

  it('§7 201 stores subject and description', async () => {
    const token = await api.tokenFor();

    const answer = await open(token);

    expect(answer.statusCode).toBe(201);
    expect(supportRoutes.openCase.success.schema.safeParse(answer.json()).success).toBe(true);
    const { id: owner_id } = (await api.call('GET', '/users/me', { token })).json();
    expect(await storedCases()).toEqual([
      { id: answer.json().id, owner_id, ...callRequest, phone: null, created_at: clock.now() },
    ]);
  });

  it('201 stores the phone number with the case, and in a profile without one', async () => {
    const token = await api.tokenFor();
    const phoneOf = async () => (await api.call('GET', '/users/me', { token })).json().phone;
    const phonesOfCases = async (id: string) =>
      (await storedCases()).filter((opened) => opened.id === id).map(({ phone }) => phone);

    const first = await open(token, { ...callRequest, phone: '+34 600 123 456' });
    expect(await phonesOfCases(first.json().id)).toEqual(['+34600123456']);
    expect(await phoneOf()).toBe('+34600123456');

    const second = await open(token, { ...callRequest, phone: '+44 20 7183 8750' });
    expect(await phonesOfCases(second.json().id)).toEqual(['+442071838750']);
    expect(await phoneOf()).toBe('+34600123456');
    const { results } = (await api.call('GET', '/users/me/activity?area=setting', { token })).json();
    expect(results).toMatchObject([{ kind: 'setting.profile', about: 'Phone', by: 'customer' }]);
  });

  it.each([
    ['no subject', { description: 'Call me' }],
    ['a blank description', { subject: 'Call Requested', description: '   ' }],
    ['a subject that is too long', { ...callRequest, subject: 'x'.repeat(201) }],
    ['a description that is too long', { ...callRequest, description: 'x'.repeat(5_001) }],
    ['an invalid phone number', { ...callRequest, phone: '+34 600' }],
    ['a field that does not exist', { ...callRequest, urgent: true }],
  ])('400 with %s, and nothing is kept', async (_what, body) => {
    const before = await storedCases();

    expect((await open(await api.tokenFor(), body)).statusCode).toBe(400);
    expect(await storedCases()).toEqual(before);
  });

  it('429 for the eleventh case within an hour, 201 after it', async () => {
    const token = await api.tokenFor();
    const codes = [];
    for (let i = 0; i < 11; i += 1) codes.push((await open(token)).statusCode);

    expect(codes).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    expect((await open(await api.tokenFor())).statusCode).toBe(201);

    clock.advance({ hours: 1 });
    expect((await open(token)).statusCode).toBe(201);
  });

  it('§6 401 when signed out', async () => {
    const answer = await api.call('POST', '/users/support_cases', { body: callRequest });

    expect(answer.statusCode).toBe(401);
  });
});
