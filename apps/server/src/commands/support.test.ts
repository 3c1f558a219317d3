import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../testing/api.ts';
import { movableClock } from '../testing/clock.ts';
import { run } from './support.ts';

describe('assay support', () => {
  const clock = movableClock('2026-03-01T12:00:00Z');
  let api: TestApi;
  let ada: string;
  let bob: string;

  const ask = async (email: string, description: string, phone?: string) => {
    const token = await api.tokenFor({ sub: email, email });
    const body = { subject: 'Call Requested', description, phone };
    const answer = await api.call('POST', '/users/support_cases', { token, body });
    clock.advance({ days: 1 });
    return answer.json().id as string;
  };

  beforeAll(async () => {
    api = await startTestApi({
      clock,
      env: {
        SMTP_RELAY_URL: 'smtp://127.0.0.1:1',
        SUPPORT_MAIL_TO: 'sales@assay.test',
        ASSAY_SECRET: 'x'.repeat(40),
      },
    });
    ada = await ask('ada@customer.test', 'Call +34 600 123 456', '+34 600 123 456');
    bob = await ask('bob@customer.test', 'Call me\n\u001b[2Jsoon');
    await api.database.db
      .updateTable('support_deliveries')
      .set({ tries: 1, accepted_at: clock.now() })
      .where('case_id', '=', ada)
      .execute();
    await api.database.db
      .updateTable('support_deliveries')
      .set({ tries: 3, problem: 'The relay refused the mail with 550.' })
      .where('case_id', '=', bob)
      .execute();
  });
  afterAll(() => api.close());

  const call = async (...argv: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const code = await run(argv, {
      env: { DATABASE_URL: api.database.url },
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
    });
    return { code, out: out.join(''), err: err.join('') };
  };
  const listed = async (...argv: string[]) =>
    (await call('list', '--json', ...argv)).out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  it('lists requests and their deliveries, newest first, one per line', async () => {
    const { code, out } = await call('list');

    expect(code).toBe(0);
    const [head, first, second, ...rest] = out.split('\n');
    expect(head).toMatch(/^asked \(UTC\) +name +email +phone +sent +request$/);
    expect(first).toMatch(
      /^2026-03-02 12:00 +Ada Assayer +bob@customer\.test +no phone +mail failed 3 times: The relay .* Call Requested: Call me \[2Jsoon$/,
    );
    expect(second).toMatch(
      /ada@customer\.test +\+34600123456 +mail sent +Call Requested: Call \+34 600 123 456$/,
    );
    expect(rest).toEqual(['']);
    expect(out).not.toContain('\u001b');
  });

  it('prints JSON, one case per line', async () => {
    expect((await listed())[1]).toEqual({
      id: ada,
      creation_date: '2026-03-01T12:00:00.000Z',
      subject: 'Call Requested',
      description: 'Call +34 600 123 456',
      customer: {
        id: expect.any(String),
        first_name: 'Ada',
        last_name: 'Assayer',
        email_address: 'ada@customer.test',
        phone: '+34600123456',
      },
      deliveries: [{ channel: 'mail', tries: 1, problem: null, accepted_date: expect.any(String) }],
    });
  });

  it.each([
    ['of one customer', ['--email', 'ada@customer.test'], () => [ada]],
    ['since a day', ['--since', '2026-03-02'], () => [bob]],
    ['that wait', ['--waiting'], () => [bob]],
    ['as many as asked for', ['--limit', '1'], () => [bob]],
  ])('lists only those %s', async (_which, argv, ids) => {
    expect((await listed(...argv)).map(({ id }) => id)).toEqual(ids());
  });

  it('says so if there are none', async () => {
    expect((await call('list', '--since', '2999-01-01')).out).toBe('Nobody asked for anything.\n');
  });

  it('refuses an unknown customer', async () => {
    expect(await call('list', '--user', randomUUID())).toMatchObject({ code: 1, out: '' });
  });

  it.each([
    [[], /Say what to do: list/],
    [['list', 'all'], /'all' is not expected/],
    [['list', '--limit', '0'], /--limit takes/],
    [['list', '--since', '2027-02-30'], /--since takes/],
    [['list', '--format', 'json'], /--format/],
    [['list', '--email', 'a@b.test', '--user', randomUUID()], /either --email or --user/],
  ])('%j is answered with how to ask', async (argv, complaint) => {
    const { code, out, err } = await call(...argv);

    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(complaint);
  });
});
