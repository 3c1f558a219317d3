import { OUTCOMES, outcomesRoutes } from '@assay/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';

describe('POST /outcomes', () => {
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    token = await api.tokenFor();
  });

  const report = (outcomes: unknown, more = {}) =>
    api.call('POST', '/outcomes', { token, body: { outcomes, ...more } });
  const kept = async () => {
    const { id } = (await api.call('GET', '/users/me', { token })).json();
    const { rows } = await api.database.pool.query(
      'select * from outcomes where owner_id = $1 order by number',
      [id],
    );
    return rows;
  };
  const bounce = {
    email: 'Jane@exists.test',
    kind: 'bounce',
    at: '2026-11-10T10:00:00.500+01:00',
    detail: '550 5.1.1 User unknown',
    id: 'event-1',
  };
  const delivered = { email: 'max@exists.test', kind: 'delivered', at: '2026-11-10T10:00:00Z' };

  it('200 keeps what happened, as the judge of bounces reads it', async () => {
    const answer = await report([bounce, delivered]);

    expect([answer.statusCode, answer.json()]).toEqual([200, { recorded: 2, repeated: 0 }]);
    expect(outcomesRoutes.report.success.schema.safeParse(answer.json()).success).toBe(true);
    expect(await kept()).toMatchObject([
      {
        number: 1,
        email_address: 'Jane@exists.test',
        kind: 'hard',
        subject: 'mailbox',
        action: 'suppress',
        reason: 'no_such_mailbox',
        words: '550 5.1.1 User unknown',
        happened_at: new Date('2026-11-10T09:00:00Z'),
        source: 'api',
        event_id: 'event-1',
      },
      { number: 2, kind: 'delivered', event_id: null },
    ]);
  });

  it.each([
    ['hard', undefined, 'hard', 'hard_bounce', 'suppress'],
    [
      'hard',
      '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
      'block',
      'blocked',
      'fix_sender',
    ],
    ['soft', '452 4.2.2 Mailbox full', 'soft', 'mailbox_full', 'retry'],
    ['bounce', undefined, 'unclear', 'refused_unexplained', 'none'],
    ['unsubscribed', undefined, 'unsubscribed', 'unsubscribed', 'suppress'],
    ['complaint', 'User unknown', 'complaint', 'complaint', 'suppress'],
    ['not_sent', undefined, 'not_sent', 'suppressed_by_sender', 'none'],
  ])('reads %s with the reply %s as %s', async (kind, detail, asKind, reason, action) => {
    await report([{ ...bounce, kind, detail }]);
    expect(await kept()).toMatchObject([{ kind: asKind, reason, action }]);
  });

  it('200 keeps an event once, also from calls at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => report([bounce, { ...bounce, id: undefined }, delivered])),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200));
    const recorded = answers.reduce((sum, answer) => sum + answer.json().recorded, 0);
    expect([recorded, (await kept()).length]).toEqual([2, 2]);
  });

  it('400 names the first 20 problems and keeps nothing', async () => {
    const wrong = Array.from({ length: 30 }, () => ({ ...bounce, email: 'not an address' }));
    const answer = await report([bounce, ...wrong]);

    expect(answer.statusCode).toBe(400);
    const { meta, message } = answer.json().errors[0];
    expect(message).toBe('outcomes.1.email must be an email address.');
    expect([meta.problems.length, meta.problem_count]).toEqual([20, 30]);
    expect(await kept()).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['too many', Array(OUTCOMES.atOnceMax + 1).fill(delivered)],
    ['an unknown kind', [{ ...delivered, kind: 'opened' }]],
    ['a time without an offset', [{ ...delivered, at: '2026-11-10 10:00' }]],
    ['a time that is to come', [{ ...delivered, at: '2199-01-01T00:00:00Z' }]],
    ['a field that we do not know', [{ ...delivered, name: 'Jane' }]],
    ['a character that cannot be stored', [{ ...bounce, detail: '550 \0' }]],
  ])('400 for %s', async (_, outcomes) => {
    expect((await report(outcomes)).statusCode).toBe(400);
    expect(await kept()).toEqual([]);
  });

  it('404 for a list of another customer, 200 for an own one', async () => {
    const list = await api.call('POST', '/validations/lists', { token, body: { emails: ['a@exists.test'] } });
    const list_id = list.json().id;
    expect((await report([delivered], { list_id })).statusCode).toBe(200);
    token = await api.tokenFor();
    expect((await report([delivered], { list_id })).statusCode).toBe(404);
  });

  it('413 above 2 MB, 401 without credentials', async () => {
    const long = Array.from({ length: 1_100 }, () => ({ ...bounce, detail: 'x'.repeat(1_900) }));
    expect((await report(long)).statusCode).toBe(413);
    expect((await api.call('POST', '/outcomes', { body: {} })).statusCode).toBe(401);
  });

  it('403 for a key without the scope; a test key cannot have it', async () => {
    const newKey = (scopes: string[], mode = 'live') =>
      api.call('POST', '/users/api-keys/more', { token, body: { name: 'Key', scopes, mode } });
    const byKey = async (scopes: string[]) => {
      const { api_token } = (await newKey(scopes)).json();
      const headers = { 'x-api-key': api_token };
      return api.call('POST', '/outcomes', { headers, body: { outcomes: [delivered] } });
    };

    expect((await byKey(['report_outcomes'])).statusCode).toBe(200);
    expect((await byKey(['verify'])).json().errors[0].code).toBe('missing_scope_report_outcomes');
    expect((await newKey(['report_outcomes'], 'test')).statusCode).toBe(400);
  });

  it('429 after 60 calls in a minute, for this customer only', async () => {
    await report([delivered]);
    await api.database.pool.query("update attempts set tried = 60 where bucket = 'report_outcomes'");
    expect((await report([delivered])).statusCode).toBe(429);
    token = await api.tokenFor();
    expect((await report([delivered])).statusCode).toBe(200);
  });
});
