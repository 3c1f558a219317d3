import type { Feed } from '@assay/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { feedsHandlers } from './feeds.handlers.ts';
import { openSns } from './sns/check-message.ts';
import {
  mailgunKey,
  mandrillKey,
  resendKey,
  type SignedCall,
  sendGridKey,
  signMailgun,
  signMandrill,
  signResend,
  signSendGrid,
} from './testing/signed-calls.ts';
import { certificateName, openSnsWorld, type SnsWorld, topicArn } from './testing/sns-world.ts';

const clock = movableClock(new Date());
let world: SnsWorld;
let api: TestApi;
beforeAll(async () => {
  world = await openSnsWorld();
  api = await startTestApi({ clock, sns: openSns(world.options, clock) });
});
afterAll(async () => {
  await api.close();
  await world.close();
});
beforeEach(() => clock.advance({ minutes: 2 }));

async function newFeed(body: unknown) {
  const token = await api.tokenFor();
  const feed = (await api.call('POST', '/outcomes/feeds', { token, body })).json<Feed>();
  const read = async (): Promise<Feed> =>
    (await api.call('GET', '/outcomes/feeds', { token })).json().results[0];
  return { token, feed, secret: feed.secret ?? '', read };
}

const post = (
  feed: Pick<Feed, 'id'>,
  { body, headers }: SignedCall,
  { from = '198.51.100.7', method = 'POST' as 'POST' | 'HEAD' } = {},
) =>
  api.app.inject({
    method,
    url: `/api/outcomes/feeds/${feed.id}`,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { payload: body }),
    remoteAddress: from,
  });
const basic = (secret: string) => ({
  authorization: `Basic ${Buffer.from(`assay:${secret}`).toString('base64')}`,
});
const jsonOf = (body: unknown, headers = {}): SignedCall => ({
  body: Buffer.from(JSON.stringify(body)),
  headers,
});
const refusalsOf = ({ refusals }: Feed) => refusals.map(({ reason, count }) => [reason, count]);

async function outcomesOf({ id }: Pick<Feed, 'id'>) {
  const { rows } = await api.database.pool.query(
    'select email_address, kind, source, happened_at from outcomes where source_id = $1 order by number',
    [id],
  );
  return rows;
}
const jane = 'jane@example.com';
const said = '550 5.1.1 User unknown';
const seconds = () => Math.floor(clock.now().getTime() / 1_000);
/** A bounce as each sender posts it. */
const bounces = {
  sendgrid: (id = 'a') =>
    signSendGrid(
      [{ event: 'bounce', email: jane, timestamp: seconds(), sg_event_id: id, reason: said }],
      clock.now(),
    ),
  mailgun: (token?: string) =>
    signMailgun(
      {
        event: 'failed',
        severity: 'permanent',
        reason: 'bounce',
        recipient: jane,
        timestamp: seconds(),
        id: 'm',
      },
      clock.now(),
      token,
    ),
  resend: () =>
    signResend(
      {
        type: 'email.bounced',
        created_at: clock.now().toISOString(),
        data: { email_id: 'r', to: [jane], bounce: { type: 'Permanent' } },
      },
      clock.now(),
    ),
  mandrill: (url: string) =>
    signMandrill(
      JSON.stringify([{ event: 'hard_bounce', _id: 'd', ts: seconds(), msg: { email: jane, diag: said } }]),
      url,
    ),
  postmark: (secret: string, more = {}) =>
    jsonOf(
      {
        RecordType: 'Bounce',
        Type: 'HardBounce',
        ID: 7,
        Email: jane,
        Details: said,
        BouncedAt: clock.now().toISOString(),
        ...more,
      },
      basic(secret),
    ),
  brevo: (secret: string) =>
    jsonOf(
      { event: 'hard_bounce', email: jane, 'message-id': 'b', ts_epoch: clock.now().getTime(), reason: said },
      basic(secret),
    ),
  sparkpost: (secret: string) =>
    jsonOf(
      [
        {
          msys: {
            message_event: {
              type: 'bounce',
              bounce_class: '10',
              raw_rcpt_to: jane,
              timestamp: String(seconds()),
              event_id: 's',
              raw_reason: said,
            },
          },
        },
      ],
      basic(secret),
    ),
};

describe('POST /outcomes/feeds/{feed_id}: a bounce', () => {
  it.each<[string, unknown, (feed: Feed, secret: string) => SignedCall]>([
    ['sendgrid', { sender: 'sendgrid', key: sendGridKey }, () => bounces.sendgrid()],
    ['mailgun', { sender: 'mailgun', key: mailgunKey }, () => bounces.mailgun()],
    ['resend', { sender: 'resend', key: resendKey }, () => bounces.resend()],
    ['mandrill', { sender: 'mandrill', key: mandrillKey }, ({ url }) => bounces.mandrill(url)],
    ['postmark', { sender: 'postmark' }, (_, secret) => bounces.postmark(secret)],
    ['brevo', { sender: 'brevo' }, (_, secret) => bounces.brevo(secret)],
    ['sparkpost', { sender: 'sparkpost' }, (_, secret) => bounces.sparkpost(secret)],
  ])('200 from %s is kept once, however often it comes, and counted', async (source, order, sign) => {
    const { feed, secret, read } = await newFeed(order);
    const signed = sign(feed, secret);

    const answers = [await post(feed, signed), await post(feed, signed)];

    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ]);
    expect(await outcomesOf(feed)).toMatchObject([{ email_address: jane, kind: 'hard', source }]);
    expect(await read()).toMatchObject({
      taken_events: 2,
      last_event_date: clock.now().toISOString(),
      refusals: [],
    });
  });

  it('200 suppresses the mailbox that a hard bounce proves gone, and not one that is full', async () => {
    const { token, feed } = await newFeed({ sender: 'sendgrid', key: sendGridKey });
    const events = [
      { email: jane, sg_event_id: 'gone', reason: said },
      { email: 'full@example.com', sg_event_id: 'full', reason: '452 4.2.2 Mailbox full' },
    ].map((event) => ({ ...event, event: 'bounce', timestamp: seconds() }));

    expect((await post(feed, signSendGrid(events, clock.now()))).statusCode).toBe(200);

    expect(await outcomesOf(feed)).toHaveLength(2);
    expect((await api.call('GET', '/suppressions', { token })).json().results).toMatchObject([
      { target: jane, kind: 'address', reason: 'hard_bounce', source: 'outcome', end_date: null },
    ]);
  });

  it('200 for opens, clicks and events that say nothing, which are counted and not kept', async () => {
    const { feed, read } = await newFeed({ sender: 'sendgrid', key: sendGridKey });
    const events = ['open', 'click', 'processed'].map((event) => ({
      event,
      email: jane,
      timestamp: seconds(),
      sg_event_id: event,
    }));

    expect((await post(feed, signSendGrid(events, clock.now()))).statusCode).toBe(200);

    expect(await outcomesOf(feed)).toEqual([]);
    expect(await read()).toMatchObject({ taken_events: 3, refusals: [] });
  });

  it('200 reads a long body on another thread', async () => {
    const { feed } = await newFeed({ sender: 'sendgrid', key: sendGridKey });
    const events = Array.from({ length: 200 }, (_, at) => ({
      event: 'bounce',
      email: `jane${at}@example.com`,
      timestamp: seconds(),
      sg_event_id: `e${at}`,
      reason: said,
    }));

    expect((await post(feed, signSendGrid(events, clock.now()))).statusCode).toBe(200);

    expect(await outcomesOf(feed)).toHaveLength(200);
  });

  it('counts what names no recipient or no date as refused, and keeps the rest', async () => {
    const { feed, read } = await newFeed({ sender: 'sendgrid', key: sendGridKey });
    const events = [
      { event: 'bounce', email: jane, timestamp: seconds(), sg_event_id: 'good' },
      { event: 'bounce', email: 'nobody', timestamp: seconds(), sg_event_id: 'nobody' },
      { event: 'bounce', email: jane, sg_event_id: 'never' },
      { event: 'bounce', email: jane, timestamp: seconds() + 2 * 86_400, sg_event_id: 'later' },
    ];

    expect((await post(feed, signSendGrid(events, clock.now()))).statusCode).toBe(200);

    expect(await outcomesOf(feed)).toHaveLength(1);
    expect(refusalsOf(await read())).toEqual([['without_recipient', 3]]);
  });

  it('is taken with the previous secret for a day', async () => {
    const { token, feed, secret } = await newFeed({ sender: 'postmark' });
    await api.call('POST', `/outcomes/feeds/${feed.id}/secret`, { token });

    expect((await post(feed, bounces.postmark(secret))).statusCode).toBe(200);
    clock.advance({ hours: 25 });
    expect((await post(feed, bounces.postmark(secret))).statusCode).toBe(401);
  });
});

describe('POST /outcomes/feeds/{feed_id}: a refusal', () => {
  it('401 without a key, with a wrong signature and with a wrong secret: counted with its reason, nothing kept', async () => {
    const keyless = await newFeed({ sender: 'sendgrid' });
    const signed = await newFeed({ sender: 'sendgrid', key: sendGridKey });
    const open = await newFeed({ sender: 'brevo' });
    const forged = { ...bounces.sendgrid(), body: Buffer.from('[]') };

    const answers = [
      await post(keyless.feed, bounces.sendgrid()),
      await post(signed.feed, forged),
      await post(signed.feed, forged),
      await post(open.feed, bounces.brevo('assay_feed_wrong')),
    ];

    expect(answers.map((answer) => [answer.statusCode, answer.json().errors[0].code])).toEqual(
      Array(4).fill([401, 'feed_not_genuine']),
    );
    expect(refusalsOf(await keyless.read())).toEqual([['no_key', 1]]);
    expect(refusalsOf(await signed.read())).toEqual([['not_genuine', 2]]);
    expect(refusalsOf(await open.read())).toEqual([['not_genuine', 1]]);
    expect(await outcomesOf(signed.feed)).toEqual([]);
  });

  it('401 for a token of Mailgun with other events; 200 again for the same', async () => {
    const { feed, read } = await newFeed({ sender: 'mailgun', key: mailgunKey });
    const first = bounces.mailgun();
    expect((await post(feed, first)).statusCode).toBe(200);
    const replayed = { ...first, body: Buffer.from(first.body.toString().replace(jane, 'ann@example.com')) };

    const answers = await Promise.all([replayed, first, replayed].map((call) => post(feed, call)));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 200, 401]);
    expect(refusalsOf(await read())).toEqual([['repeated_signature', 2]]);
    expect(await outcomesOf(feed)).toMatchObject([{ email_address: jane }]);
    expect((await post(feed, bounces.mailgun('b'.repeat(50)))).statusCode).toBe(200);
  });

  it('lets one of two bodies win that use a token of Mailgun at the same time', async () => {
    const { feed } = await newFeed({ sender: 'mailgun', key: mailgunKey });
    const first = bounces.mailgun();
    const other = { ...first, body: Buffer.from(first.body.toString().replace(jane, 'ann@example.com')) };

    const answers = await Promise.all([first, other].map((call) => post(feed, call)));

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
    expect(await outcomesOf(feed)).toHaveLength(1);
  });

  it('forgets tokens of Mailgun when their signatures are too old', async () => {
    const { feed } = await newFeed({ sender: 'mailgun', key: mailgunKey });
    const first = bounces.mailgun();
    await post(feed, first);
    const [sweep] = feedsHandlers({ db: api.database.db, clock });
    const tokens = async () => {
      await sweep?.run({}, { jobId: 'x', retryCount: 0, signal: new AbortController().signal });
      return (
        await api.database.pool.query('select 1 from outcome_feed_signatures where feed_id = $1', [feed.id])
      ).rowCount;
    };

    expect(await tokens()).toBe(1);
    clock.advance({ hours: 10 });
    expect(await tokens()).toBe(0);
    expect((await post(feed, first)).statusCode).toBe(401);
  });

  it('400 for what is no event, 413 for more than 5 MB, both counted', async () => {
    const { feed, secret, read } = await newFeed({ sender: 'postmark' });

    const unreadable = await post(feed, { body: Buffer.from('hello'), headers: basic(secret) });
    const huge = await post(feed, { body: Buffer.alloc(5_000_001, ' '), headers: basic(secret) });

    expect([unreadable.statusCode, unreadable.json().errors[0].code]).toEqual([400, 'feed_not_readable']);
    expect(huge.statusCode).toBe(413);
    expect(new Map(refusalsOf(await read()) as [string, number][])).toEqual(
      new Map([
        ['too_large', 1],
        ['not_readable', 1],
      ]),
    );
  });

  it('400 for lists that are nested without end, on this thread and on another', async () => {
    const { feed, secret } = await newFeed({ sender: 'postmark' });
    for (const depth of [1_900, 200_000]) {
      const body = Buffer.from('['.repeat(depth) + ']'.repeat(depth));
      const answer = await post(feed, { body, headers: basic(secret) });
      expect([depth, answer.statusCode]).toEqual([depth, 400]);
    }
  });

  it('404 for a feed that is not there, and for no id', async () => {
    for (const id of ['0b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90', 'x', '%00', 'x'.repeat(5_000)]) {
      const answer = await post({ id }, jsonOf({}));
      expect([id, answer.statusCode]).toEqual([id, 404]);
    }
  });

  it('403 for a suspended account', async () => {
    const { feed, secret } = await newFeed({ sender: 'postmark' });
    await api.database.pool.query(
      "update accounts set standing = 'suspended' where id = (select owner_id from outcome_feeds where id = $1)",
      [feed.id],
    );

    expect((await post(feed, bounces.postmark(secret))).statusCode).toBe(403);
  });

  it('429 for a minute to an address that forged many events, for this feed only', async () => {
    const [forged, other] = [await newFeed({ sender: 'postmark' }), await newFeed({ sender: 'postmark' })];
    for (let sent = 0; sent < 20; sent += 1)
      expect((await post(forged.feed, bounces.postmark('wrong'))).statusCode).toBe(401);

    expect((await post(forged.feed, bounces.postmark(forged.secret))).statusCode).toBe(429);
    expect(
      (await post(forged.feed, bounces.postmark(forged.secret), { from: '198.51.100.8' })).statusCode,
    ).toBe(200);
    expect((await post(other.feed, bounces.postmark(other.secret))).statusCode).toBe(200);
    clock.advance({ seconds: 61 });
    expect((await post(forged.feed, bounces.postmark(forged.secret))).statusCode).toBe(200);
  });

  it('429 for one feed that posts too often, counted; not for others', async () => {
    const [busy, other] = [await newFeed({ sender: 'postmark' }), await newFeed({ sender: 'postmark' })];
    const knock = () => post(busy.feed, { body: Buffer.from('[]'), headers: basic(busy.secret) });
    let answer = await knock();
    for (let sent = 0; sent < 30; sent += 1) answer = await knock();
    expect(answer.statusCode).toBe(200);
    // As if other processes had taken the rest.
    await api.database.pool.query("update request_allowances set leased = 1800 where policy = 'feed'");
    for (let sent = 0; sent < 120 && answer.statusCode === 200; sent += 1) answer = await knock();

    expect(answer.statusCode).toBe(429);
    expect((await post(other.feed, bounces.postmark(other.secret))).statusCode).toBe(200);
    expect(refusalsOf(await busy.read())).toEqual([['too_many', 1]]);
  });
});

describe('Mandrill’s probe', () => {
  it('200 for HEAD and for an empty list, before the key is known', async () => {
    const { feed, read } = await newFeed({ sender: 'mandrill' });

    expect((await post(feed, jsonOf(null), { method: 'HEAD' })).statusCode).toBe(200);
    expect((await post(feed, signMandrill('[]', feed.url, 'unknown'))).statusCode).toBe(200);
    expect((await post(feed, bounces.mandrill(feed.url))).statusCode).toBe(401);
    expect(refusalsOf(await read())).toEqual([['no_key', 1]]);
  });
});

describe('Amazon SES by SNS', () => {
  const typed = (message: Readonly<Record<string, string>>, headers = {}): SignedCall =>
    jsonOf(message, { 'x-amz-sns-message-type': message.Type, ...headers });
  const bounce = (more = {}) => ({
    Timestamp: clock.now().toISOString(),
    Message: JSON.stringify({
      notificationType: 'Bounce',
      mail: { messageId: 'mail', timestamp: clock.now().toISOString() },
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        feedbackId: 'f',
        timestamp: clock.now().toISOString(),
        bouncedRecipients: [
          { emailAddress: jane, diagnosticCode: `smtp; ${said}` },
          { emailAddress: 'ann@example.com' },
        ],
      },
    }),
    ...more,
  });
  const confirmation = (more = {}) => {
    const Token = 'ab12'.repeat(40);
    const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: topicArn, Token });
    return {
      Type: 'SubscriptionConfirmation',
      Timestamp: clock.now().toISOString(),
      Token,
      SubscribeURL: `https://sns.eu-west-1.amazonaws.com/?${query}`,
      ...more,
    };
  };
  const newSesFeed = () => newFeed({ sender: 'ses', topic_arn: topicArn });

  it('401 asks for the secret, as SNS needs it; that is no forgery', async () => {
    const { feed, secret, read } = await newSesFeed();
    for (let sent = 0; sent < 30; sent += 1) {
      const answer = await post(feed, typed(world.sign(bounce())));
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Basic realm="assay"']);
    }

    expect((await post(feed, typed(world.sign(bounce()), basic(secret)))).statusCode).toBe(200);
    expect(refusalsOf(await read())).toEqual([]);
  });

  it.each(['1', '2'] as const)(
    '200 keeps each recipient of a bounce with signature version %s',
    async (version) => {
      const { feed, secret } = await newSesFeed();

      const signed = typed(world.sign(bounce(), version), basic(secret));
      expect([(await post(feed, signed)).statusCode, (await post(feed, signed)).statusCode]).toEqual([
        200, 200,
      ]);

      expect((await outcomesOf(feed)).map(({ email_address }) => email_address)).toEqual([
        jane,
        'ann@example.com',
      ]);
    },
  );

  it('200 for the sentence with which a topic begins', async () => {
    const { feed, secret } = await newSesFeed();
    const sentence = world.sign({
      Message: 'Successfully validated SNS topic',
      Timestamp: clock.now().toISOString(),
    });

    expect((await post(feed, typed(sentence, basic(secret)))).statusCode).toBe(200);
    expect(await outcomesOf(feed)).toEqual([]);
  });

  it('confirms the subscription of its topic at Amazon, and notes its end', async () => {
    const { token, feed, secret, read } = await newSesFeed();
    world.asked.length = 0;

    expect((await post(feed, typed(world.sign(confirmation()), basic(secret)))).statusCode).toBe(200);

    expect(world.asked.at(-1)).toMatch(
      /^\/\?Action=ConfirmSubscription&TopicArn=arn%3Aaws%3Asns.*&Token=ab12/,
    );
    expect((await read()).confirmation_date).toBe(clock.now().toISOString());
    expect((await api.call('GET', '/users/me/activity', { token })).json().results[0]).toMatchObject({
      kind: 'feed.confirmed',
      by: 'assay',
    });
    const end = world.sign(confirmation({ Type: 'UnsubscribeConfirmation' }));
    expect((await post(feed, typed(end, basic(secret)))).statusCode).toBe(200);
    expect((await read()).confirmation_date).toBeNull();
  });

  it.each<[string, string, object]>([
    ['of another topic', 'wrong_topic', { TopicArn: `${topicArn}2` }],
    [
      'whose confirmation is at another host',
      'confirmation_failed',
      { SubscribeURL: 'https://sns.eu-west-1.amazonaws.com.evil.test/?Action=ConfirmSubscription' },
    ],
    [
      'whose confirmation does something else',
      'confirmation_failed',
      { SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=DeleteTopic' },
    ],
    ['that is too old', 'too_old', { Timestamp: '2020-01-01T00:00:00.000Z' }],
  ])('refuses a confirmation %s, without asking anybody to confirm', async (_, reason, more) => {
    const { feed, secret, read } = await newSesFeed();
    world.asked.length = 0;

    expect((await post(feed, typed(world.sign(confirmation(more)), basic(secret)))).statusCode).toBe(401);

    expect(world.asked.filter((path) => path !== `/${certificateName}`)).toEqual([]);
    expect(refusalsOf(await read())).toEqual([[reason, 1]]);
    expect((await read()).confirmation_date).toBeNull();
  });

  it.each([
    'http://sns.eu-west-1.amazonaws.com',
    'https://sns.us-east-1.amazonaws.com',
    'https://sns.eu-west-1.amazonaws.com:444',
    'https://x@sns.eu-west-1.amazonaws.com',
    'https://sns.eu-west-1.amazonaws.com.evil.test',
    'https://evil.test/sns.eu-west-1.amazonaws.com',
  ])('refuses a certificate at %s, without asking there', async (origin) => {
    const { feed, secret, read } = await newSesFeed();
    world.asked.length = 0;
    const message = { ...world.sign(bounce()), SigningCertURL: `${origin}/${certificateName}` };

    expect((await post(feed, typed(message, basic(secret)))).statusCode).toBe(401);

    expect(world.asked).toEqual([]);
    expect(refusalsOf(await read())).toEqual([['not_genuine', 1]]);
  });

  it('refuses another path of the certificate, a type that differs from its header, and raw delivery', async () => {
    const { feed, secret, read } = await newSesFeed();
    const signed = world.sign(bounce());
    const calls = [
      typed(
        { ...signed, SigningCertURL: signed.SigningCertURL?.replace('.pem', '.pem?a') ?? '' },
        basic(secret),
      ),
      typed(signed, { ...basic(secret), 'x-amz-sns-message-type': 'SubscriptionConfirmation' }),
      typed(signed, { ...basic(secret), 'x-amz-sns-rawdelivery': 'true' }),
    ];

    for (const call of calls) expect((await post(feed, call)).statusCode).toBe(401);

    expect(new Map(refusalsOf(await read()) as [string, number][])).toEqual(
      new Map([
        ['not_genuine', 2],
        ['raw_delivery', 1],
      ]),
    );
  });

  it('503 while Amazon cannot be asked, and does not follow its redirects', async () => {
    const { feed, secret, read } = await newSesFeed();
    const other = certificateName.replaceAll('0a', '0b');
    const message = (status: number) => {
      world.answers.status = status;
      return { ...world.sign(bounce()), SigningCertURL: `https://sns.eu-west-1.amazonaws.com/${other}` };
    };
    world.asked.length = 0;

    expect((await post(feed, typed(message(500), basic(secret)))).statusCode).toBe(503);
    expect((await post(feed, typed(message(302), basic(secret)))).statusCode).toBe(401);

    world.answers.status = 200;
    expect(world.asked).toEqual([`/${other}`, `/${other}`]);
    expect(refusalsOf(await read())).toEqual([['not_genuine', 1]]);
  });

  it('asks nobody at a private address that the installation does not allow', async () => {
    const sns = openSns({ ...world.options, allowRanges: [] }, clock);
    world.asked.length = 0;

    await expect(sns.check(world.sign(bounce()) as never, topicArn)).rejects.toThrow(
      'SNS could not be asked',
    );
    expect(world.asked).toEqual([]);
  });
});
