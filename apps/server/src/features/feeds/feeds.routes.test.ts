import { FEED_SENDERS, FEEDS, type Feed, feedsRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { mailgunKey, resendKey, sendGridKey } from './testing/signed-calls.ts';
import { topicArn } from './testing/sns-world.ts';

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ clock });
});
afterAll(() => api.close());

const path = '/outcomes/feeds';
const create = (token: string, body: unknown) => api.call('POST', path, { token, body });
const list = async (token: string): Promise<Feed[]> =>
  (await api.call('GET', path, { token })).json().results;
const codeOf = (answer: Awaited<ReturnType<typeof create>>) => [
  answer.statusCode,
  answer.json().errors[0].code,
];

async function newFeed(body: unknown = { sender: 'postmark' }) {
  const token = await api.tokenFor();
  const feed = (await create(token, body)).json<Feed>();
  return { token, id: feed.id, secret: feed.secret ?? '', feed };
}

describe('POST /outcomes/feeds', () => {
  it.each(['postmark', 'brevo', 'sparkpost'])(
    '201 for %s, with a secret of ours that is shown once',
    async (sender) => {
      const { token, feed } = await newFeed({ sender });

      expect(feedsRoutes.createFeed.success.schema.parse(feed)).toMatchObject({
        sender,
        url: `https://assay.test/api/outcomes/feeds/${feed.id}`,
        secret: expect.stringMatching(/^assay_feed_[0-9a-f]{48}$/),
        taken_events: 0,
        last_event_date: null,
        refusals: [],
      });
      expect(await list(token)).toMatchObject([{ id: feed.id, secret: `…${feed.secret?.slice(-4)}` }]);
    },
  );

  it.each([
    ['sendgrid', sendGridKey],
    ['mailgun', mailgunKey],
    ['resend', resendKey],
    ['mandrill', 'a key'],
  ])('201 for %s, with its key or without it yet; the key is never shown', async (sender, key) => {
    const { feed } = await newFeed({ sender, key });

    expect(feed.secret).toBe(`…${key.slice(-4)}`);
    expect((await newFeed({ sender })).feed.secret).toBeNull();
  });

  it('201 for Amazon SES, with a topic and a secret of ours', async () => {
    const { feed } = await newFeed({ sender: 'ses', topic_arn: topicArn });

    expect(feed).toMatchObject({ topic_arn: topicArn, confirmation_date: null });
    expect(feed.secret).toMatch(/^assay_feed_/);
  });

  it('201 keeps secrets encrypted, and out of the log', async () => {
    const { secret } = await newFeed();
    await newFeed({ sender: 'mailgun', key: mailgunKey });

    const { rows } = await api.database.pool.query('select outcome_feeds::text as row from outcome_feeds');
    for (const text of [JSON.stringify(rows), JSON.stringify(api.logLines)]) {
      expect(text).not.toContain(secret.slice('assay_feed_'.length));
      expect(text).not.toContain(mailgunKey);
    }
  });

  it.each<[string, unknown, string]>([
    ['an unknown sender', { sender: 'postal' }, ''],
    ['a key of SendGrid that is none', { sender: 'sendgrid', key: 'abc' }, 'verification key'],
    ['a key of Resend without its prefix', { sender: 'resend', key: 'abc' }, 'whsec_'],
    ['a key for a sender without one', { sender: 'postmark', key: 'abc' }, 'signs nothing'],
    ['Amazon SES without a topic', { sender: 'ses' }, 'Topic required'],
    ['a topic of another sender', { sender: 'brevo', topic_arn: topicArn }, 'Only Amazon SES'],
    ['a topic that is none', { sender: 'ses', topic_arn: 'arn:aws:sqs:eu-west-1:123456789012:x' }, 'ARN'],
    [
      'a topic with another host in its region',
      { sender: 'ses', topic_arn: 'arn:aws:sns:evil.test/:123456789012:x' },
      'ARN',
    ],
    ['an empty key', { sender: 'mailgun', key: ' ' }, 'Key required'],
  ])('400 for %s, and nothing is kept', async (_, body, text) => {
    const token = await api.tokenFor();

    const answer = await create(token, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].message).toContain(text);
    expect(await list(token)).toEqual([]);
  });

  it('409 for one too many, also for simultaneous calls', async () => {
    const token = await api.tokenFor();
    await api.call('GET', '/users/me', { token });

    const answers = await Promise.all(
      Array.from({ length: FEEDS.countMax + 3 }, () => create(token, { sender: 'brevo' })),
    );

    const refused = answers.filter(({ statusCode }) => statusCode !== 201);
    expect(refused.map(codeOf)).toEqual(Array(3).fill([409, 'too_many_feeds']));
    expect(await list(token)).toHaveLength(FEEDS.countMax);
  });

  it('401 when signed out', async () => {
    expect((await api.call('POST', path, { body: { sender: 'brevo' } })).statusCode).toBe(401);
  });
});

describe('PUT /outcomes/feeds/{id}', () => {
  const change = (token: string, id: string, body: unknown) =>
    api.call('PUT', `${path}/${id}`, { token, body });

  it('200 gives the key; the one before is good for a day', async () => {
    const { token, id } = await newFeed({ sender: 'mailgun', key: mailgunKey });

    const answer = await change(token, id, { key: 'another key' });

    const until = new Date(clock.now().getTime() + 86_400_000).toISOString();
    expect(answer.json()).toMatchObject({ secret: '… key', previous_secret_until: until });
  });

  it('200 for another topic, which is to be confirmed again', async () => {
    const { token, id } = await newFeed({ sender: 'ses', topic_arn: topicArn });
    await api.database.pool.query('update outcome_feeds set confirmed_at = now() where id = $1', [id]);

    const answer = await change(token, id, { topic_arn: `${topicArn}2` });

    expect(answer.json()).toMatchObject({ topic_arn: `${topicArn}2`, confirmation_date: null });
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['both', { key: 'a', topic_arn: topicArn }],
    ['a key of a sender that has none', { key: 'a' }],
    ['a topic of a sender that has none', { topic_arn: topicArn }],
  ])('400 for %s', async (_, body) => {
    const { token, id } = await newFeed();
    expect((await change(token, id, body)).statusCode).toBe(400);
  });

  it('404 for the feed of another customer', async () => {
    const { id } = await newFeed({ sender: 'mailgun' });
    expect(codeOf(await change(await api.tokenFor(), id, { key: 'a' }))).toEqual([404, 'feed_not_found']);
  });
});

describe('POST /outcomes/feeds/{id}/secret', () => {
  it('200 with another secret, once', async () => {
    const { token, id, secret } = await newFeed();

    const answer = await api.call('POST', `${path}/${id}/secret`, { token });

    expect(answer.json().secret).toMatch(/^assay_feed_/);
    expect(answer.json().secret).not.toBe(secret);
    expect((await list(token))[0]?.secret).toBe(`…${answer.json().secret.slice(-4)}`);
  });

  it('409 for a sender that signs with its own key, 404 for the feed of another customer', async () => {
    const { token, id } = await newFeed({ sender: 'mailgun' });

    expect(codeOf(await api.call('POST', `${path}/${id}/secret`, { token }))).toEqual([
      409,
      'feed_secret_of_sender',
    ]);
    const stranger = await api.tokenFor();
    expect((await api.call('POST', `${path}/${id}/secret`, { token: stranger })).statusCode).toBe(404);
  });
});

describe('DELETE /outcomes/feeds/{id}', () => {
  it('204, notes it for a restore, and writes the activity', async () => {
    const { token, id } = await newFeed();

    expect((await api.call('DELETE', `${path}/${id}`, { token })).statusCode).toBe(204);

    expect(await list(token)).toEqual([]);
    const { rows } = await api.database.pool.query('select kind from deletions_to_log where id = $1', [id]);
    expect(rows).toEqual([{ kind: 'outcome_feed' }]);
    const activities = (await api.call('GET', '/users/me/activity', { token })).json().results;
    expect(activities.slice(0, 2)).toMatchObject([
      { kind: 'feed.deleted', about: FEED_SENDERS.postmark },
      { kind: 'feed.created', about: FEED_SENDERS.postmark },
    ]);
  });

  it('404 for the feed of another customer, and for none', async () => {
    const { token, id } = await newFeed();

    expect((await api.call('DELETE', `${path}/${id}`, { token: await api.tokenFor() })).statusCode).toBe(404);
    expect(await list(token)).toHaveLength(1);
  });
});

describe('an API key with manage_feeds', () => {
  const newKey = async (token: string, scopes: string[], mode = 'live') =>
    api.call('POST', '/users/api-keys/more', { token, body: { name: 'Feeds', scopes, mode } });

  it('makes every call; a key without it makes none', async () => {
    const token = await api.tokenFor();
    const by = async (scopes: string[]) => {
      const headers = { 'x-api-key': (await newKey(token, scopes)).json().api_token };
      return (method: 'GET' | 'POST' | 'PUT' | 'DELETE', end = '', body?: unknown) =>
        api.call(method, `${path}${end}`, { headers, ...(body !== undefined && { body }) });
    };
    const allowed = await by(['manage_feeds']);

    const { id } = (await allowed('POST', '', { sender: 'postmark' })).json<Feed>();
    expect((await allowed('GET')).json().results).toHaveLength(1);
    expect((await allowed('POST', `/${id}/secret`)).statusCode).toBe(200);
    expect((await allowed('DELETE', `/${id}`)).statusCode).toBe(204);
    const other = await by(['verify', 'manage_webhooks']);
    expect(codeOf(await other('GET'))).toEqual([403, 'missing_scope_manage_feeds']);
  });

  it('is never a test key: 400', async () => {
    const answer = await newKey(await api.tokenFor(), ['manage_feeds'], 'test');
    expect([answer.statusCode, answer.json().errors[0].message]).toEqual([
      400,
      expect.stringContaining('cannot manage feeds'),
    ]);
  });
});
