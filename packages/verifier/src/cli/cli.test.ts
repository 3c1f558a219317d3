import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openWorld, users } from '../testing/world.ts';
import { runExplain } from './explain.ts';
import { runVerify } from './verify.ts';

class Page extends Writable {
  text = '';
  isTTY = false;
  columns = 200;
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}

async function run(command: typeof runVerify, argv: string[], input = '', defaults = {}) {
  const stdout = new Page();
  const stderr = new Page();
  const code = await command(argv, { stdin: Readable.from([input]), stdout, stderr, defaults });
  return { code, out: stdout.text, err: stderr.text };
}

async function verifyInWorld(argv: string[], input = '') {
  const { world } = await openWorld();
  const here = { dns: world.dns, allowRanges: world.allowRanges };
  return run(runVerify, [...argv, '--helo', 'probe.example.com'], input, here);
}

async function fileWith(content: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'verifier-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'list.csv');
  await writeFile(file, content);
  return file;
}

const lines = (text: string): string[] => text.trim().split('\n');
const resultsOf = (jsonl: string): string[] =>
  lines(jsonl)
    .map((line) => JSON.parse(line))
    .map(({ email, result, reason }) => `${email} ${result} ${reason}`)
    .sort();

const three = ['jane@exists.test', 'nobody@exists.test', 'anyone@catch-all.test'];
const threeResults = [
  'anyone@catch-all.test CATCH_ALL catch_all',
  'jane@exists.test VALID mailbox_accepted',
  'nobody@exists.test INVALID no_such_mailbox',
];

describe('assay verify', () => {
  it('--json: one object a line, with email, result and reason', async () => {
    const { code, out, err } = await verifyInWorld([...three, '--json']);
    expect(code).toBe(0);
    expect(err).toBe('');
    expect(resultsOf(out)).toEqual(threeResults);
    expect(JSON.parse(lines(out)[0] as string)).toEqual({
      email: expect.any(String),
      result: expect.any(String),
      reason: expect.any(String),
      flags: [],
    });
  });

  it('--format json: one array, also when nothing is in it', async () => {
    const { out } = await verifyInWorld([...three, '--format', 'json']);
    expect(JSON.parse(out)).toHaveLength(3);
    expect(JSON.parse((await verifyInWorld(['--file', '-', '--format', 'json'], '\n')).out)).toEqual([]);
  });

  it('--format csv: a header and a row each', async () => {
    const { out } = await verifyInWorld(['"jane doe"@exists.test', '=cmd@exists.test', '--format', 'csv']);
    const [header, ...rows] = lines(out);
    expect(header).toBe('email,result,reason,flags,did_you_mean');
    expect(rows.sort()).toEqual([
      '"""jane doe""@exists.test",VALID,mailbox_accepted,,',
      "'=cmd@exists.test,INVALID,no_such_mailbox,,",
    ]);
  });

  it('--format table: the verdict first, notes last', async () => {
    const { out } = await verifyInWorld(['info+x@exists.test']);
    expect(out).toMatch(/^VALID +info\+x@exists\.test +mailbox_accepted +role, plus tag\n$/);
  });

  it('--evidence shows how it came about', async () => {
    const json = await verifyInWorld(['jane@exists.test', '--format', 'jsonl', '--evidence']);
    expect(JSON.parse(json.out).evidence.map(({ stage }: { stage: string }) => stage)).toEqual([
      'dns',
      'connect',
      'rcpt',
      'proof',
    ]);
    const table = await verifyInWorld(['jane@exists.test', '--evidence']);
    expect(lines(table.out)).toHaveLength(5);
    expect(table.out).toMatch(/rcpt +mx\.exists\.test \[127\.[\d.]+\] +250 /);
  });

  it.each([
    ['lines', three.join('\n')],
    ['lines of Windows with a header and empty lines', `email\r\n\r\n${three.join('\r\n')}\r\n`],
    ['quoted lines', three.map((email) => `"${email}"`).join('\n')],
    [
      'a CSV with a header',
      `id,Email,name\n${three.map((email, id) => `${id},${email},"Doe, J."`).join('\n')}`,
    ],
    ['a CSV without one', three.map((email, id) => `${id};${email}`).join('\n')],
    [
      'a CSV whose header says it in other words',
      `Name\tWork e-mail address\n${three.map((email) => `x\t${email}`).join('\n')}`,
    ],
    ['UTF-16 as spreadsheets write it', Buffer.from(`\ufeff${three.join('\r\n')}`, 'utf16le')],
    ['UTF-8 with a byte-order mark', `\ufeff${three.join('\n')}`],
  ])('--file reads %s', async (_, content) => {
    const { code, out } = await verifyInWorld(['--file', await fileWith(content), '--format', 'jsonl']);
    expect(code).toBe(0);
    expect(resultsOf(out)).toEqual(threeResults);
  });

  it('--file - reads standard input, beside the addresses given', async () => {
    const { out } = await verifyInWorld(
      [three[0] as string, '--file', '-', '--format', 'jsonl'],
      three.slice(1).join('\n'),
    );
    expect(resultsOf(out)).toEqual(threeResults);
  });

  it('--timeout and --patience bound the waiting', async () => {
    const { out } = await verifyInWorld([
      ...[
        'jane@silent.test',
        'jane@greylist-never.test',
        '--timeout',
        '0.3',
        '--patience',
        '0',
        '--format',
        'jsonl',
      ],
    ]);
    expect(resultsOf(out)).toEqual([
      'jane@greylist-never.test UNKNOWN greylisted',
      'jane@silent.test UNKNOWN reply_timeout',
    ]);
  });

  it('--concurrency changes the speed and not the answers', async () => {
    const list = await fileWith(users(60, 'few-recipients.test').join('\n'));
    const { out } = await verifyInWorld(['--file', list, '--concurrency', '3', '--format', 'jsonl']);
    expect(lines(out)).toHaveLength(60);
    expect(new Set(lines(out).map((line) => JSON.parse(line).result))).toEqual(new Set(['VALID']));
  });

  it('flags stand above the defaults', async () => {
    const { world } = await openWorld();
    const argv = [
      'jane@exists.test',
      '--dns',
      world.dns,
      '--smtp-port',
      String(world.smtpPort),
      '--format',
      'jsonl',
    ];
    const ranges = ['--allow-range', '127.77.0.0/16', '--helo', 'probe.example.com'];
    const { out } = await run(runVerify, [...argv, ...ranges], '', {
      dns: '127.0.0.1:1',
      smtpPort: 1,
      allowRanges: [],
    });
    expect(JSON.parse(out)).toMatchObject({ result: 'VALID' });
  });

  it('shows a bar on a terminal and nowhere else', async () => {
    const { world } = await openWorld({ replyDelayMs: 60 });
    const stderr = Object.assign(new Page(), { isTTY: true });
    const list = await fileWith(three.join('\n'));
    await runVerify(['--file', list, '--helo', 'probe.example.com'], {
      stdin: Readable.from([]),
      stdout: new Page(),
      stderr,
      defaults: { dns: world.dns, allowRanges: world.allowRanges },
    });
    expect(stderr.text).toMatch(/█+ \d+ done, \d+\/s/);
    expect(stderr.text.endsWith('\r\u001b[K')).toBe(true);
  });

  it('stops quietly when nobody reads on', async () => {
    const { world } = await openWorld();
    const stdout = new PassThrough();
    stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    const code = await runVerify([...three, '--helo', 'probe.example.com'], {
      stdin: Readable.from([]),
      stdout,
      stderr: new Page(),
      defaults: { dns: world.dns, allowRanges: world.allowRanges },
    });
    expect(code).toBe(0);
  });

  it.each([
    [[], 'no address given'],
    [['a@b.test', '--format', 'xml'], '--format "xml" is not one of table, json, jsonl, csv'],
    [['a@b.test', '--concurrency', 'many'], '--concurrency "many" is not a number from 1'],
    [['a@b.test', '--timeout', '0'], '--timeout "0" is not a number from 0.1'],
    [['a@b.test', '--patience', '-1'], '--patience'],
    [['a@b.test', '--nonsense'], '--nonsense'],
    [['a@b.test', '--allow-range', '10.0.0.0/99'], '"10.0.0.0/99" is not a range'],
    [['a@b.test', '--dns', '::::x'], 'is not a name server'],
    [['a@b.test', '--helo', 'two words'], 'is not a name to introduce ourselves by'],
    [['a@b.test', '--mail-from', 'a@b\r\nDATA'], 'is not a sender'],
  ])('%j: says what is wrong and exits with 2', async (argv, message) => {
    const { code, out, err } = await run(runVerify, argv);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
    expect(err).toContain('assay verify [address …]');
  });

  it('a file that is not there: exits with 1', async () => {
    const { code, err } = await run(runVerify, ['--file', '/nowhere/list.csv']);
    expect(code).toBe(1);
    expect(err).toContain('ENOENT');
  });

  it('a CSV without addresses says so', async () => {
    const { code, err } = await verifyInWorld(['--file', await fileWith('a,b\nc,d\ne,f\n')]);
    expect([code, err.includes('no column of the CSV holds mail addresses')]).toEqual([2, true]);
  });

  it('--help says how', async () => {
    const { code, out } = await run(runVerify, ['--help']);
    expect(code).toBe(0);
    expect(out).toContain('--patience S');
  });
});

describe('assay explain', () => {
  it('says what replies mean, offline', async () => {
    const { code, out } = await run(runExplain, ['250 2.1.5 OK', '550 5.1.1 User unknown', '--json']);
    expect(code).toBe(0);
    expect(lines(out).map((line) => JSON.parse(line))).toMatchObject([
      { reply: '250 2.1.5 OK', result: 'VALID', reason: 'mailbox_accepted' },
      { reply: '550 5.1.1 User unknown', result: 'INVALID', reason: 'no_such_mailbox' },
    ]);
  });

  it('reads replies of several lines from standard input', async () => {
    const input =
      '550-5.1.1 The email account that you tried\n550 5.1.1 to reach does not exist.\n\n451 Greylisted for 5 minutes\n';
    const { out } = await run(runExplain, ['--file', '-', '--format', 'csv'], input);
    expect(lines(out)).toEqual([
      'reply,result,reason,rule,retry_after_s,class,subject,action',
      '550-5.1.1 The email account that you tried 550 5.1.1 to reach does not exist.,INVALID,no_such_mailbox,no-such-mailbox-by-wording,,hard,mailbox,suppress',
      '451 Greylisted for 5 minutes,UNKNOWN,greylisted,greylist-run-as-blocklist,300,soft,host,retry',
    ]);
  });

  it('says what the mails of a folder mean, a line for each recipient', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-mails-'));
    const bounce = (recipient: string, words: string) =>
      `From: MAILER-DAEMON@mx.test\nSubject: Undelivered Mail\n\nCould not deliver to:\n\n<${recipient}>: ${words}\n\n`;
    await writeFile(join(folder, 'a.eml'), bounce('jane@example.com', '550 5.1.1 User unknown'));
    await writeFile(
      join(folder, 'b.mbox'),
      `From - Mon Nov 16 09:00:00 2026\n${bounce('joe@example.com', '452 4.2.2 Mailbox full')}From - Mon Nov 16 09:00:01 2026\n${bounce('ann@example.com', '550 5.1.1 User unknown')}`,
    );
    await writeFile(join(folder, 'c.bin'), Buffer.alloc(100));

    const { code, out } = await run(runExplain, ['--mails', folder, '--format', 'jsonl']);
    await rm(folder, { recursive: true });

    expect(code).toBe(0);
    const found = lines(out).map((line) => JSON.parse(line));
    expect(Object.keys(found[0])).toEqual([
      'file',
      'recipient',
      'class',
      'subject',
      'action',
      'reason',
      'rule',
    ]);
    expect(found.map((row) => [row.file, row.recipient, row.class, row.action, row.reason])).toEqual([
      ['a.eml', 'jane@example.com', 'hard', 'suppress', 'no_such_mailbox'],
      ['b.mbox', 'joe@example.com', 'soft', 'retry', 'mailbox_full'],
      ['b.mbox', 'ann@example.com', 'hard', 'suppress', 'no_such_mailbox'],
      ['c.bin', null, 'unclear', 'none', 'not_readable'],
    ]);
  });

  it.each([[[]], [['hello']], [['250 OK', '--format', 'xml']]])('%j: exits with 2', async (argv) => {
    expect((await run(runExplain, argv)).code).toBe(2);
  });
});
