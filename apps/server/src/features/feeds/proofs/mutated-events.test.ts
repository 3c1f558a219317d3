import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../../../tests/support/random.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readFeedBody } from '../read-feed-body.ts';
import { openSns } from '../sns/check-message.ts';
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
} from '../testing/signed-calls.ts';
import { openSnsWorld, type SnsWorld, topicArn } from '../testing/sns-world.ts';

/** `FEED_MUTATIONS=10000` tries as many of each sender. */
const count = Number(process.env.FEED_MUTATIONS ?? 600);
const now = new Date('2026-11-18T12:00:00Z');
const at = now.getTime() / 1_000;
const url = 'https://assay.test/api/outcomes/feeds/0b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90';

/** Changes, removes, adds or doubles one character. */
function mutate(text: string, random: Random): string {
  const place = random.between(0, text.length - 1);
  const [before, one, after] = [text.slice(0, place), text[place], text.slice(place + 1)];
  const other = String.fromCharCode(random.between(33, 126));
  const mutated = random.oneOf([
    before + other + after,
    before + after,
    before + one + other + after,
    before + one + one + after,
  ]);
  return mutated === text ? mutate(text, random) : mutated;
}

/** Changes the body or one of the headers. */
function mutateCall({ body, headers }: SignedCall, random: Random): SignedCall {
  const names = Object.keys(headers);
  const place = random.between(-1, names.length - 1);
  const name = names[place];
  if (name === undefined)
    return { headers, body: Buffer.from(mutate(body.toString('latin1'), random), 'latin1') };
  return { body, headers: { ...headers, [name]: mutate(headers[name] ?? '', random) } };
}

const bounce = { event: 'bounce', email: 'jane@example.com', timestamp: at, sg_event_id: 'a' };
const resent = {
  type: 'email.bounced',
  created_at: '2026-11-18T11:59:00Z',
  data: { to: ['jane@example.com'] },
};
const mandrilled = JSON.stringify([
  { event: 'hard_bounce', _id: 'm', ts: at, msg: { email: 'jane@example.com' } },
]);

describe.each([1, 2, 3])('seed %i: of many mutated calls, none is accepted', (seed) => {
  it.each([
    ['sendgrid', signSendGrid([bounce], now), sendGridKey],
    ['resend', signResend(resent, now), resendKey],
    ['mandrill', signMandrill(mandrilled, url), mandrillKey],
  ] as const)('%s', (sender, signed, secret) => {
    const random = createRandom(seed);
    const read = (call: SignedCall) =>
      readFeedBody(sender, { ...call, url, secrets: [secret], nowMs: now.getTime() });
    const genuine = read(signed);
    expect(genuine.refusal).toBeUndefined();

    for (let tried = 0; tried < count; tried += 1) {
      const mutated = mutateCall(signed, random);
      const reading = read(mutated);
      // A form can be written in several ways; what it says must be the same.
      if (reading.refusal === undefined) expect([sender, reading]).toEqual(['mandrill', genuine]);
    }
  });

  it('mailgun, whose signature does not cover the event: time, token and signature', () => {
    const random = createRandom(seed);
    const signed = JSON.parse(signMailgun({ event: 'failed' }, now).body.toString());
    for (let tried = 0; tried < count; tried += 1) {
      const name = random.oneOf(['timestamp', 'token', 'signature']);
      const signature = { ...signed.signature, [name]: mutate(signed.signature[name], random) };
      const call = { body: Buffer.from(JSON.stringify({ ...signed, signature })), headers: {} };
      const reading = readFeedBody('mailgun', { ...call, url, secrets: [mailgunKey], nowMs: now.getTime() });
      expect(reading.refusal).toBe('not_genuine');
    }
  });
});

describe('Amazon SES', () => {
  let world: SnsWorld;
  beforeAll(async () => {
    world = await openSnsWorld();
  });
  afterAll(() => world.close());

  it.each([1, 2, 3])('seed %i: of many mutated messages, none is accepted', async (seed) => {
    const random = createRandom(seed);
    const sns = openSns(world.options, systemClock);
    const message = world.sign(
      { Subject: 'Bounce', Message: '{"notificationType":"Bounce","mail":{}}' },
      random.oneOf(['1', '2']),
    );
    expect(await accepted(message)).toBe(true);
    const names = Object.keys(message) as [string, ...string[]];

    for (let tried = 0; tried < count / 10; tried += 1) {
      const name = random.oneOf(names);
      const mutated = { ...message, [name]: mutate(message[name] ?? '', random) };
      expect([name, mutated[name], await accepted(mutated)]).toEqual([name, mutated[name], false]);
    }

    async function accepted(fields: Readonly<Record<string, string>>): Promise<boolean> {
      const call = {
        body: Buffer.from(JSON.stringify(fields)),
        headers: { 'x-amz-sns-message-type': 'Notification' },
      };
      const reading = readFeedBody('ses', { ...call, url, secrets: ['ours'], nowMs: Date.now() });
      if (reading.refusal !== undefined || !reading.message) return false;
      return (await sns.check(reading.message, topicArn).catch(() => 'away')) === null;
    }
  });
});
