import { afterEach, describe, expect, it } from 'vitest';
import { type MailWorld, startMailWorld } from './index.ts';
import { SmtpTalk } from './testing/smtp-talk.ts';

let world: MailWorld;
afterEach(() => world.close());

async function start(zone: string, replyDelayMs = 5): Promise<SmtpTalk> {
  world = await startMailWorld({ zone, replyDelayMs });
  return new SmtpTalk(world, 'mx.a.test');
}

const violations = () => world.conduct.violations.map(({ violation }) => violation);

describe('conduct', () => {
  it('finds nothing wrong with a client that pipelines where it may', async () => {
    const talk = await start('domain a.test accepts jane');
    await talk.reply();
    await talk.ask('EHLO me.test');
    talk.say('MAIL FROM:<p@me.test>\r\nRCPT TO:<jane@a.test>\r\nRCPT TO:<x@a.test>\r\nRSET\r\n');
    await talk.replies(4);
    talk.say('MAIL FROM:<p@me.test>\r\nRCPT TO:<jane@a.test>\r\nQUIT\r\n');
    await talk.closed();
    expect(world.conduct.violations).toEqual([]);
  });

  it('has nothing against RCPT commands that were on their way when MAIL was refused', async () => {
    const talk = await start('domain a.test accepts jane; at mail say "550 no"');
    await talk.reply();
    await talk.ask('EHLO me.test');
    talk.say('MAIL FROM:<p@me.test>\r\nRCPT TO:<jane@a.test>\r\n');
    await talk.replies(2);
    expect(world.conduct.violations).toEqual([]);
  });

  it('notes a command before the banner', async () => {
    const talk = await start('domain a.test at banner hang');
    talk.say('EHLO me.test\r\n');
    await expect.poll(violations).toEqual(['command before banner']);
  });

  it('has nothing against QUIT after a banner that refuses', async () => {
    const talk = await start('domain a.test at banner say "554 no"\ndomain b.test limit connections 0');
    await talk.reply();
    await talk.ask('QUIT');
    const refused = new SmtpTalk(world, 'mx.b.test');
    await refused.reply();
    await refused.say('QUIT\r\n').closed();
    expect(violations()).toEqual([]);
  });

  it('notes pipelining where it is not offered', async () => {
    const talk = await start('domain a.test accepts jane; lacks PIPELINING');
    await talk.reply();
    await talk.ask('EHLO me.test');
    talk.say('MAIL FROM:<p@me.test>\r\nRCPT TO:<jane@a.test>\r\n');
    await talk.replies(2);
    expect(violations()).toEqual(['pipelining not offered']);
    expect(world.conduct.violations[0]).toMatchObject({ host: 'mx.a.test', line: 'RCPT TO:<jane@a.test>' });
  });

  it('notes pipelining past EHLO, also where pipelining is offered', async () => {
    const talk = await start('domain a.test accepts jane');
    await talk.reply();
    talk.say('EHLO me.test\r\nMAIL FROM:<p@me.test>\r\n');
    await talk.replies(2);
    expect(violations()).toEqual(['pipelining past a barrier']);
  });

  it('notes what comes after QUIT', async () => {
    const talk = await start('domain a.test accepts jane');
    await talk.reply();
    talk.say('QUIT\r\nNOOP\r\n');
    await talk.closed();
    expect(violations()).toEqual(['command after QUIT']);
  });

  it('notes what came in the clear after STARTTLS, and does not obey it', async () => {
    const talk = await start('domain a.test accepts jane; offers STARTTLS');
    await talk.reply();
    await talk.ask('EHLO me.test');
    talk.say('STARTTLS\r\nRSET\r\n');
    await talk.reply();
    expect(violations()).toEqual(['pipelining past a barrier']);
  });

  it.each([
    ['DATA', 'DATA\r\n'],
    ['unknown command', 'XYZZY\r\n'],
    ['bad sequence', 'RCPT TO:<jane@a.test>\r\n'],
    ['bare line break', 'NOOP\n'],
    ['bare line break', 'NOOP \rQUIT\r\n'],
    ['control character', 'NOOP \x07\r\n'],
    ['overlong line', `NOOP ${'x'.repeat(600)}\r\n`],
  ])('notes %s', async (violation, bytes) => {
    const talk = await start('domain a.test accepts jane');
    await talk.reply();
    await talk.ask('EHLO me.test');
    talk.say(bytes);
    await talk.reply();
    expect(violations()).toEqual([violation]);
  });

  it('ends a line without end', async () => {
    const talk = await start('domain a.test accepts jane');
    await talk.reply();
    talk.say('x'.repeat(20_000));
    await talk.closed();
    expect(violations()).toEqual(['overlong line']);
  });

  it('counts connections, transactions, recipients and commands, by host and in all', async () => {
    const talk = await start('domain a.test accepts jane\ndomain b.test accepts jane', 0);
    await talk.openTransaction();
    await talk.ask('RCPT TO:<jane@a.test>');
    await talk.ask('RCPT TO:<x@a.test>');
    await talk.ask('RSET');
    await talk.ask('MAIL FROM:<>');
    await talk.ask('RCPT TO:<jane@a.test>');
    const other = new SmtpTalk(world, 'mx.b.test');
    await other.reply();
    expect(world.conduct.total).toMatchObject({ connectionsNow: 2, connectionsPeak: 2, connectionsTotal: 2 });
    await talk.ask('QUIT');
    await talk.closed();
    await expect.poll(() => world.conduct.total.connectionsNow).toBe(1);
    expect(world.conduct.host('mx.a.test')).toEqual({
      connectionsNow: 0,
      connectionsPeak: 1,
      connectionsTotal: 1,
      connectionsRefused: 0,
      quits: 1,
      transactions: 2,
      recipients: 3,
      recipientsPerConnectionMax: 3,
      recipientsPerTransactionMax: 2,
      commands: { EHLO: 1, MAIL: 2, RCPT: 3, RSET: 1, QUIT: 1 },
    });
    expect(world.conduct.transcripts[0]?.lines[0]).toBe('EHLO verifier.test');
    world.conduct.reset();
    expect(world.conduct.total).toMatchObject({
      connectionsNow: 1,
      connectionsTotal: 0,
      recipients: 0,
      commands: {},
    });
  });

  it('keeps a bounded record of violations and transcripts, and counts them all', async () => {
    const talk = await start('domain a.test accepts jane', 0);
    await talk.reply();
    talk.say('XYZZY\r\n'.repeat(1500));
    await talk.replies(1500);
    expect(world.conduct.violationCount).toBeGreaterThanOrEqual(1500);
    expect(world.conduct.violations).toHaveLength(1000);
    expect(world.conduct.transcripts[0]?.lines).toHaveLength(64);
    expect(world.conduct.total.commands).toEqual({ other: 1500 });
    for (let count = 0; count < 70; count += 1) {
      const brief = new SmtpTalk(world, 'mx.a.test');
      await brief.reply();
      await brief.end();
    }
    expect(world.conduct.transcripts).toHaveLength(64);
  });
});
