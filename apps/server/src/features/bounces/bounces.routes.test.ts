import { bouncesRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';

describe('POST /bounces/explain', () => {
  let api: TestApi;
  let token: string;
  beforeAll(async () => {
    api = await startTestApi();
    token = await api.tokenFor();
  });
  afterAll(() => api.close());

  const explain = (body: unknown) => api.call('POST', '/bounces/explain', { token, body });
  const post = (type: string, payload: string | Buffer) =>
    api.app.inject({
      method: 'POST',
      url: '/api/bounces/explain',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      payload,
    });
  const mail = `From: MAILER-DAEMON@mx.test\r\nSubject: failure notice\r\n\r\n<jane@example.com>:\r\n550 5.1.1 User unknown\r\n`;
  const hard = { recipient: 'jane@example.com', class: 'hard', subject: 'mailbox', action: 'suppress' };

  it('200 explains a reply, with the rule and the words', async () => {
    const answer = await explain({ reply: '452 4.2.2 Mailbox full' });

    expect(answer.statusCode).toBe(200);
    expect(bouncesRoutes.explain.success.schema.safeParse(answer.json()).success).toBe(true);
    expect(answer.json()).toEqual({
      results: [
        {
          recipient: null,
          class: 'soft',
          subject: 'mailbox',
          action: 'retry',
          reason: 'mailbox_full',
          rule: 'over-quota',
          words: '452 4.2.2 Mailbox full',
        },
      ],
    });
  });

  it('200 explains a mail in JSON, and one that is the whole body', async () => {
    expect((await explain({ mail })).json().results).toMatchObject([hard]);
    expect((await post('message/rfc822', mail)).json().results).toMatchObject([hard]);
    expect((await post('text/plain; charset=utf-8', mail)).json().results).toMatchObject([hard]);
  });

  it('200 reads a long mail on another thread', async () => {
    const long = `${mail}\r\n--- Below this line is a copy of the message.\r\n${'x'.repeat(70)}\r\n`.padEnd(
      100_000,
      'text ',
    );
    expect((await post('message/rfc822', long)).json().results).toMatchObject([hard]);
  });

  it('200 explains an event in a field, and one that is the whole body', async () => {
    const event = {
      event: 'bounce',
      email: 'jane@example.com',
      reason: '550 5.1.1 User unknown',
      sg_event_id: 'a',
    };

    expect((await explain({ event })).json().results).toMatchObject([hard]);
    expect((await explain(event)).json().results).toMatchObject([hard]);
    expect((await explain([event, event])).json().results).toHaveLength(2);
    const form = new URLSearchParams({
      mandrill_events: JSON.stringify([
        { event: 'hard_bounce', msg: { email: 'jane@example.com', diag: 'smtp;550 5.1.1 User unknown' } },
      ]),
    });
    expect((await post('application/x-www-form-urlencoded', form.toString())).json().results).toMatchObject([
      hard,
    ]);
  });

  it.each([
    ['an empty object', {}],
    ['a reply without a code', { reply: 'User unknown' }],
    ['a mail without headers', { mail: 'hello' }],
    ['an event of nobody', { event: { hello: 'world' } }],
    ['a number', 7],
  ])('400 bounce_not_readable for %s', async (_, body) => {
    const answer = await explain(body);
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, 'bounce_not_readable']);
  });

  it('400 for bytes that are no mail, and for JSON that is none', async () => {
    expect((await post('message/rfc822', Buffer.alloc(20_000))).json().errors[0].code).toBe(
      'bounce_not_readable',
    );
    expect((await post('application/json', '{')).json().errors[0].code).toBe('malformed_json');
  });

  it('413 above 1 MB, and 415 for another type', async () => {
    expect((await post('message/rfc822', Buffer.alloc(1_048_577, 'a'))).statusCode).toBe(413);
    expect((await post('image/png', 'a')).statusCode).toBe(415);
  });

  it('401 without credentials', async () => {
    expect((await api.call('POST', '/bounces/explain', { body: {} })).statusCode).toBe(401);
  });

  it('opens to a key with the scope and costs nothing', async () => {
    const balance = async () => (await api.call('GET', '/billing/me', { token })).json().balance;
    const before = await balance();
    const keyWith = async (scopes: string[]) =>
      (await api.call('POST', '/users/api-keys/more', { token, body: { name: 'Key', scopes } })).json()
        .api_token;
    const byKey = async (key: string) =>
      api.call('POST', '/bounces/explain', { headers: { 'x-api-key': key }, body: { reply: '250 OK' } });

    expect((await byKey(await keyWith(['explain_bounces']))).json().results[0].class).toBe('delivered');
    const refused = await byKey(await keyWith(['verify']));
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([
      403,
      'missing_scope_explain_bounces',
    ]);
    expect(await balance()).toBe(before);
  });

  it('429 after 300 calls in a minute, for this customer only', async () => {
    const [busy, other] = [await api.tokenFor(), await api.tokenFor()];
    const call = async (as: string) =>
      (await api.call('POST', '/bounces/explain', { token: as, body: { reply: '250 OK' } })).statusCode;
    await call(busy);
    await api.database.pool.query("update attempts set tried = 300 where bucket = 'explain_bounces'");

    expect(await call(busy)).toBe(429);
    expect(await call(other)).toBe(200);
  });
});
