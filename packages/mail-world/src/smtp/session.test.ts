import { afterEach, describe, expect, it } from 'vitest';
import { type MailWorld, startMailWorld } from '../index.ts';
import { SmtpTalk } from '../testing/smtp-talk.ts';

const worlds: MailWorld[] = [];

async function worldOf(
  zone: string,
  options: { replyDelayMs?: number; maxConnectionsPerHost?: number } = {},
) {
  const world = await startMailWorld({ zone, ...options });
  worlds.push(world);
  return world;
}

const talkTo = (world: MailWorld, domain: string) => new SmtpTalk(world, `mx.${domain}`);

/** The replies to RCPT for these local parts, in one transaction. */
async function askFor(world: MailWorld, domain: string, ...locals: string[]): Promise<string[]> {
  const talk = talkTo(world, domain);
  await talk.openTransaction();
  const replies: string[] = [];
  for (const local of locals) replies.push(await talk.ask(`RCPT TO:<${local}@${domain}>`));
  await talk.end();
  return replies;
}

const codes = (replies: string[]) => replies.map((reply) => reply.slice(0, 3));

afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

describe('mailboxes', () => {
  it('takes those of the zone by any capitals, with a tag, and refuses the rest', async () => {
    const world = await worldOf('domain a.test accepts jane "jane doe"');
    const replies = await askFor(world, 'a.test', 'jane', 'JANE+x', '"Jane Doe"', 'nobody');
    expect(codes(replies)).toEqual(['250', '250', '250', '550']);
    expect(replies[3]).toContain('<nobody@a.test>');
  });

  it('words a full, a disabled and a busy mailbox and one with a reply of its own', async () => {
    const world = await worldOf('domain a.test full f; disabled d; busy b; says "571 no {local}" s');
    expect(await askFor(world, 'a.test', 'f', 'd', 'b', 's')).toEqual([
      expect.stringContaining('552 5.2.2'),
      expect.stringContaining('550 5.2.1'),
      expect.stringContaining('450 4.2.1'),
      '571 no s',
    ]);
  });

  it('takes every name of a catch-all, and only ordinary ones of a picky catch-all', async () => {
    const world = await worldOf('domain a.test catch-all\ndomain b.test catch-all ordinary');
    expect(codes(await askFor(world, 'a.test', 'anyone', 'x9f3k2q8z1'))).toEqual(['250', '250']);
    const names = ['anyone', 'maria.keller84', 'x9f3k2q8z1', 'qwrtzpsdfg', 'a'.repeat(25), 'k48151623'];
    expect(codes(await askFor(world, 'b.test', ...names))).toEqual([
      '250',
      '250',
      '550',
      '550',
      '550',
      '550',
    ]);
  });

  it('refuses to relay for a domain that has its mail elsewhere', async () => {
    const world = await worldOf(
      'domain a.test catch-all\ndomain b.test catch-all\ndomain c.test mx mx.a.test; unserved',
    );
    const talk = talkTo(world, 'a.test');
    await talk.openTransaction();
    expect(await talk.ask('RCPT TO:<jane@b.test>')).toContain('Relay access denied');
    expect(await talk.ask('RCPT TO:<jane@c.test>')).toContain('Relay access denied');
  });

  it('takes mail for a domain whose MX names an alias of the host', async () => {
    const world = await worldOf(
      'host mx.s.test\nhost mx.t.test alias mx.s.test\ndomain a.test mx mx.t.test; accepts jane',
    );
    const talk = new SmtpTalk(world, 'mx.s.test');
    await talk.openTransaction();
    expect(await talk.ask('RCPT TO:<jane@a.test>')).toContain('250');
  });

  it('answers for each domain on one host in the wording of that domain', async () => {
    const world = await worldOf(
      'wording w missing "550 away"\nhost mx.s.test\ndomain a.test mx mx.s.test; catch-all\ndomain b.test mx mx.s.test; wording w',
    );
    const talk = new SmtpTalk(world, 'mx.s.test');
    await talk.openTransaction();
    expect(await talk.ask('RCPT TO:<x@a.test>')).toBe('250 2.1.5 Ok');
    expect(await talk.ask('RCPT TO:<x@b.test>')).toBe('550 away');
  });
});

describe('greylisting', () => {
  it('defers each sender and recipient once, names the delay, and takes them after it', async () => {
    const world = await worldOf('domain a.test accepts jane john; greylist 50ms');
    const talk = talkTo(world, 'a.test');
    await talk.openTransaction();
    expect(await talk.ask('RCPT TO:<jane@a.test>')).toContain('try again in 1 seconds');
    await expect.poll(() => talk.ask('RCPT TO:<jane@a.test>'), { interval: 5 }).toContain('250');
    expect(await talk.ask('RCPT TO:<john@a.test>')).toContain('450 4.2.0');
    await talk.ask('RSET');
    await talk.ask('MAIL FROM:<another@verifier.test>');
    expect(await talk.ask('RCPT TO:<jane@a.test>')).toContain('450 4.2.0');
  });

  it('never gives in where the zone says forever', async () => {
    const world = await worldOf('domain a.test accepts jane; greylist forever');
    const replies = await askFor(world, 'a.test', 'jane', 'jane');
    expect(codes(replies)).toEqual(['450', '450']);
    expect(replies[0]).toContain('300 seconds');
  });
});

describe('stages', () => {
  it.each([
    ['banner', '554'],
    ['ehlo', '554'],
    ['mail', '554'],
    ['rcpt', '554'],
  ])('refuses at %s with the reply of the zone', async (stage, code) => {
    const world = await worldOf(`domain a.test accepts jane; at ${stage} say "554 5.7.1 no {peer}"`);
    const talk = talkTo(world, 'a.test');
    const replies = [await talk.reply()];
    for (const command of ['EHLO me.test', 'MAIL FROM:<a@me.test>', 'RCPT TO:<jane@a.test>'])
      replies.push(await talk.ask(command));
    const at = ['banner', 'ehlo', 'mail', 'rcpt'].indexOf(stage);
    expect(codes(replies.slice(0, at)).every((reply) => reply.startsWith('2'))).toBe(true);
    expect(replies[at]).toBe(`${code} 5.7.1 no 127.0.0.1`);
  });

  it('closes after a reply, closes without one, and resets', async () => {
    const world = await worldOf(
      'domain a.test at banner say "554 no" close\ndomain b.test at mail close\ndomain c.test at banner reset',
    );
    const closing = talkTo(world, 'a.test');
    expect(await closing.replies(2)).toEqual(['554 no', '(closed)']);
    const dropping = talkTo(world, 'b.test');
    await dropping.reply();
    await dropping.ask('EHLO me.test');
    expect(await dropping.ask('MAIL FROM:<>')).toBe('(closed)');
    const resetting = talkTo(world, 'c.test');
    await resetting.closed();
    expect(resetting.errorCode).toBe('ECONNRESET');
  });

  it('hangs: the connection stays, no reply comes', async () => {
    const world = await worldOf('domain a.test accepts jane; at rcpt hang', { replyDelayMs: 1 });
    const talk = talkTo(world, 'a.test');
    await talk.openTransaction();
    talk.say('RCPT TO:<jane@a.test>\r\n');
    await expect.poll(() => world.conduct.total.recipients).toBe(1);
    // A second client is served meanwhile, and by then the first would have had its reply.
    const other = talkTo(world, 'a.test');
    await other.openTransaction();
    expect(talk.chunks.join('')).toMatch(/250 2\.1\.0 Ok\r\n$/);
    expect(world.conduct.total.connectionsNow).toBe(2);
  });

  it('hangs after a reply, where the zone has one', async () => {
    const world = await worldOf('domain a.test accepts jane; at mail say "250 so far" hang', {
      replyDelayMs: 1,
    });
    const talk = talkTo(world, 'a.test');
    await talk.openTransaction();
    talk.say('RSET\r\n');
    await expect.poll(() => world.conduct.total.commands.RSET).toBe(1);
    const other = talkTo(world, 'a.test');
    await other.openTransaction();
    expect(talk.chunks.join('')).toMatch(/250 so far\r\n$/);
  });

  it('holds a reply back where the zone says wait, and keeps the order', async () => {
    const world = await worldOf('domain a.test accepts jane; at mail wait 30ms');
    const talk = talkTo(world, 'a.test');
    await talk.reply();
    await talk.ask('EHLO me.test');
    talk.say('MAIL FROM:<>\r\nRCPT TO:<jane@a.test>\r\nRCPT TO:<x@a.test>\r\n');
    expect(codes(await talk.replies(3))).toEqual(['250', '250', '550']);
  });

  it('refuses connections to a closed host', async () => {
    const world = await worldOf('domain a.test accepts jane; closed');
    const talk = talkTo(world, 'a.test');
    await talk.closed();
    expect(talk.errorCode).toBe('ECONNREFUSED');
  });

  it('knows only HELO where EHLO is refused', async () => {
    const world = await worldOf('domain a.test accepts jane; at ehlo say "502 5.5.1 what"');
    const talk = talkTo(world, 'a.test');
    await talk.reply();
    expect(await talk.ask('EHLO me.test')).toBe('502 5.5.1 what');
    expect(await talk.ask('MAIL FROM:<>')).toContain('503');
    expect(await talk.ask('HELO me.test')).toBe('250 mx.a.test');
    expect(await talk.ask('MAIL FROM:<>')).toContain('250');
  });
});

describe('limits', () => {
  it('452 4.5.3 beyond the recipients of a transaction, and a new transaction goes on', async () => {
    const world = await worldOf('domain a.test accepts user*; limit recipients 2 per transaction');
    const talk = talkTo(world, 'a.test');
    await talk.openTransaction();
    const replies: string[] = [];
    for (const number of [1, 2, 3]) replies.push(await talk.ask(`RCPT TO:<user${number}@a.test>`));
    expect(codes(replies)).toEqual(['250', '250', '452']);
    await talk.ask('RSET');
    await talk.ask('MAIL FROM:<>');
    expect(await talk.ask('RCPT TO:<user3@a.test>')).toContain('250');
  });

  it('421 and hangs up beyond the recipients of a connection; the commands sent along go unanswered', async () => {
    const world = await worldOf('domain a.test accepts user*; limit recipients 1 per connection');
    const talk = talkTo(world, 'a.test');
    await talk.openTransaction();
    talk.say('RCPT TO:<user1@a.test>\r\nRCPT TO:<user2@a.test>\r\nRCPT TO:<user3@a.test>\r\n');
    expect(codes(await talk.replies(3))).toEqual(['250', '421', '(cl']);
  });

  it('421 beyond the transactions of a connection', async () => {
    const world = await worldOf('domain a.test accepts jane; limit transactions 1');
    const talk = talkTo(world, 'a.test');
    await talk.openTransaction();
    await talk.ask('RSET');
    expect(await talk.ask('MAIL FROM:<>')).toContain('421 4.7.0');
  });

  it('450 4.7.0 beyond the recipients of a period, over all connections, until the next one', async () => {
    const limit = (period: string) => `accepts user*; limit recipients 2 per ${period}`;
    const world = await worldOf(`domain a.test ${limit('1h')}\ndomain b.test ${limit('20ms')}`);
    expect(codes(await askFor(world, 'a.test', 'user1'))).toEqual(['250']);
    const [, beyond] = await askFor(world, 'a.test', 'user2', 'user3');
    expect(beyond).toContain('450 4.7.0 <user3@a.test>');
    await askFor(world, 'b.test', 'user1', 'user2', 'user3');
    await expect.poll(async () => (await askFor(world, 'b.test', 'user4'))[0]).toContain('250');
  });

  it('550 for everyone after too many strangers', async () => {
    const world = await worldOf(
      'domain a.test accepts jane; limit unknown 1 say "550 Too many invalid recipients"',
    );
    expect(await askFor(world, 'a.test', 'jane', 'x', 'jane')).toEqual([
      expect.stringContaining('250'),
      expect.stringContaining('550 5.1.1'),
      '550 Too many invalid recipients',
    ]);
  });

  it('421 for a connection too many, by the zone or for all hosts, and room again after one has gone', async () => {
    const zone = 'domain a.test accepts jane; limit connections 1\ndomain b.test accepts jane';
    const world = await worldOf(zone, { maxConnectionsPerHost: 2 });
    const first = talkTo(world, 'a.test');
    await first.reply();
    expect(await talkTo(world, 'a.test').replies(2)).toEqual([
      expect.stringMatching(/^421 4\.7\.0/),
      '(closed)',
    ]);
    await first.end();
    await expect.poll(() => world.conduct.host('mx.a.test').connectionsNow).toBe(0);
    expect(await talkTo(world, 'a.test').reply()).toContain('220');
    const talks = [talkTo(world, 'b.test'), talkTo(world, 'b.test'), talkTo(world, 'b.test')];
    const banners = codes(await Promise.all(talks.map((talk) => talk.reply())));
    expect(banners.toSorted()).toEqual(['220', '220', '421']);
    expect(world.conduct.total.connectionsRefused).toBe(2);
  });

  it('421 to a connection that rests too long', async () => {
    const world = await worldOf('domain a.test accepts jane; idle 20ms');
    const talk = talkTo(world, 'a.test');
    expect(codes(await talk.replies(3))).toEqual(['220', '421', '(cl']);
  });
});

describe('manners', () => {
  it('speaks one byte at a time', async () => {
    const world = await worldOf('domain a.test accepts jane; speaks one-byte');
    const talk = talkTo(world, 'a.test');
    await talk.openTransaction();
    expect(await talk.ask('RCPT TO:<jane@a.test>')).toBe('250 2.1.5 Ok');
    expect(talk.chunks.length).toBeGreaterThan(50);
    expect(world.conduct.violations).toEqual([]);
  });

  it('speaks Latin-1, several lines and bare line feeds', async () => {
    const world = await worldOf(
      'domain a.test speaks latin1; at banner say "220 ü"\ndomain b.test speaks bare-lf; at banner say "220-a\\n220 b"',
    );
    const eightBit = talkTo(world, 'a.test');
    await eightBit.reply();
    expect(Buffer.concat(eightBit.chunks)).toEqual(Buffer.from([0x32, 0x32, 0x30, 0x20, 0xfc, 0x0d, 0x0a]));
    const bare = talkTo(world, 'b.test');
    expect(await bare.reply()).toBe('220-a\n220 b');
    expect(Buffer.concat(bare.chunks).includes(0x0d)).toBe(false);
  });

  it('offers what the zone says', async () => {
    const world = await worldOf('domain a.test lacks PIPELINING SIZE; offers STARTTLS SMTPUTF8');
    const talk = talkTo(world, 'a.test');
    await talk.reply();
    expect(await talk.ask('EHLO me.test')).toBe(
      '250-mx.a.test\n250-8BITMIME\n250-ENHANCEDSTATUSCODES\n250-STARTTLS\n250 SMTPUTF8',
    );
  });

  it('takes mailboxes outside ASCII with SMTPUTF8 and not without', async () => {
    const world = await worldOf('domain a.test accepts jörg; offers SMTPUTF8\ndomain b.test accepts jörg');
    const knowing = talkTo(world, 'a.test');
    await knowing.reply();
    await knowing.ask('EHLO me.test');
    await knowing.ask('MAIL FROM:<p@me.test> SMTPUTF8');
    expect(await knowing.ask('RCPT TO:<jörg@a.test>')).toContain('250');
    expect(world.conduct.violations).toEqual([]);
    expect(await askFor(world, 'b.test', 'jörg')).toEqual([expect.stringContaining('553 5.6.7')]);
    expect(world.conduct.violations.map(({ violation }) => violation)).toEqual([
      'non-ASCII without SMTPUTF8',
    ]);
  });
});

describe('STARTTLS', () => {
  it('goes on over TLS, forgets what was said before, and no longer offers it', async () => {
    const world = await worldOf('domain a.test accepts jane; requires STARTTLS');
    const talk = talkTo(world, 'a.test');
    await talk.reply();
    await talk.ask('EHLO me.test');
    expect(await talk.ask('MAIL FROM:<>')).toContain('530 5.7.0');
    expect(await talk.ask('STARTTLS')).toContain('220');
    await talk.startTls();
    expect(await talk.ask('MAIL FROM:<>')).toContain('503');
    expect(await talk.ask('EHLO me.test')).not.toContain('STARTTLS');
    expect(await talk.ask('MAIL FROM:<>')).toContain('250');
    expect(await talk.ask('RCPT TO:<jane@a.test>')).toContain('250');
    await talk.end();
    await expect.poll(() => world.conduct.total.connectionsNow).toBe(0);
  });

  it('forgets half a command that came in the clear', async () => {
    const world = await worldOf('domain a.test accepts jane; offers STARTTLS');
    const talk = talkTo(world, 'a.test');
    await talk.reply();
    await talk.ask('EHLO me.test');
    talk.say('STARTTLS\r\nXX');
    await talk.reply();
    await talk.startTls();
    expect(await talk.ask('EHLO me.test')).toContain('250');
  });

  it('is refused, or broken, where the zone says so', async () => {
    const world = await worldOf(
      'domain a.test offers STARTTLS; at starttls say "454 4.7.0 no"\ndomain b.test broken-tls\ndomain c.test accepts jane',
    );
    const refused = talkTo(world, 'a.test');
    await refused.reply();
    await refused.ask('EHLO me.test');
    expect(await refused.ask('STARTTLS')).toBe('454 4.7.0 no');
    expect(await refused.ask('MAIL FROM:<>')).toContain('250');
    const broken = talkTo(world, 'b.test');
    await broken.reply();
    await broken.ask('EHLO me.test');
    await broken.ask('STARTTLS');
    await broken.closed();
    expect(Buffer.concat(broken.chunks).toString()).toContain('This is not TLS.');
    const without = talkTo(world, 'c.test');
    await without.reply();
    expect(await without.ask('STARTTLS')).toContain('502');
  });
});
