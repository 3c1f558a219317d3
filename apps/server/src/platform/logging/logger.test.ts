import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../errors/index.ts';
import { TEXT_LENGTH_MAX } from '../text-limits.ts';
import { blankPersonalData } from './blank-personal-data.ts';
import { createLogger } from './logger.ts';

const logged = (write: (logger: ReturnType<typeof createLogger>) => void): string[] => {
  const lines: string[] = [];
  write(createLogger({ level: 'info', process: 'test', destination: { write: (line) => lines.push(line) } }));
  return lines;
};

describe('the log', () => {
  it('is one JSON object per line, with a readable time and level', () => {
    const [line = ''] = logged((logger) => logger.info({ list_id: '17' }, 'list created'));

    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      process: 'test',
      instance: expect.stringContaining(`:${process.pid}`),
      list_id: '17',
      msg: 'list created',
    });
    expect(JSON.parse(line).time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('goes to the same standard output from all loggers of a process', () => {
    const [first, second] = ['api', 'worker'].map((process) =>
      Reflect.get(createLogger({ level: 'silent', process }), pino.symbols.streamSym),
    );

    expect(first).toBeDefined();
    expect(second).toBe(first);
  });

  it('keeps of an error what helps, and blanks whom it is about, causes included', () => {
    const pgError = Object.assign(new Error('duplicate key value: ada@example.com'), {
      code: '23505',
      detail: 'Key (email)=(ada@example.com) already exists.',
      parameters: ['ada@example.com'],
    });
    const [line = ''] = logged((logger) =>
      logger.error({ err: new AppError('not_found', { listId: '17' }, { cause: pgError }) }, 'failed'),
    );

    const { err } = JSON.parse(line);
    expect(err).toMatchObject({ type: 'AppError', code: 'not_found', details: { listId: '17' } });
    expect(err.cause).toMatchObject({ code: '23505', message: 'duplicate key value: [address]' });
    expect(line).not.toContain('ada@');
  });

  it('tells what an error says that is a plain object, as those of the queue are', () => {
    const [line = ''] = logged((logger) =>
      logger.error({ err: { message: 'no answer for ada@example.com' } }, 'failed'),
    );

    expect(JSON.parse(line).err).toEqual({ type: 'object', message: 'no answer for [address]' });
  });

  it('never holds a request or an answer as it came', () => {
    const request = { url: '/api/x?email=ada@example.com', headers: { authorization: 'Bearer secret' } };
    const [line] = logged((logger) => logger.info({ req: request, res: { body: 'secret' } }, 'seen'));

    expect(line).not.toMatch(/ada@|secret/);
  });
});

describe('what a caller made long', () => {
  const lineOf = (write: (logger: ReturnType<typeof createLogger>) => void) => logged(write)[0] ?? '';

  it('is cut in the message of an error and its causes, and leaves the frames of the stack', () => {
    const cause = new Error('x'.repeat(1_000_000));
    const line = lineOf((logger) =>
      logger.error({ err: new Error('y'.repeat(1_000_000), { cause }) }, 'failed'),
    );

    const { err } = JSON.parse(line);
    expect(line.length).toBeLessThan(25_000);
    expect(err.message).toHaveLength(TEXT_LENGTH_MAX.errorMessage);
    expect(err.stack).toContain('logger.test.ts');
  });

  it('is cut in every value of a line, however deep or many', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `emails.${index}`);
    const line = lineOf((logger) =>
      logger.info({ details: { fields: many, name: 'x'.repeat(1_000_000) } }, 'refused'),
    );

    expect(line.length).toBeLessThan(3_000);
  });

  it('is blanked in every value of a line', () => {
    const line = lineOf((logger) =>
      logger.info({ details: { invoiceId: 'ada@example.com', fields: ['assay_live_0a1b2c'] } }, 'refused'),
    );

    expect(JSON.parse(line).details).toEqual({ invoiceId: '[address]', fields: ['[key]'] });
  });
});

describe('blankPersonalData', () => {
  it.each([
    ['550 <ada+x@mail.example.com> unknown', '550 <[address]> unknown'],
    ['to=ada@example.com,bob@example.org;', 'to=[address],[address];'],
    ['token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln ends', 'token [token] ends'],
    ['unknown key assay_live_0a1b2c.', 'unknown key [key].'],
    ['signed with whsec_c2VjcmV0+/=', 'signed with [key]'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [token]'],
    ['Authorization: Bearer assay_test_0123abc', 'Authorization: Bearer [token]'],
    ['authorization=Bearer%20assay_live_0123abc', 'authorization=Bearer%20[key]'],
    ['postgres://assay:hunter2@db:5432/assay refused', 'postgres://assay:[password]@db:5432/assay refused'],
    ['redis://:hunter2@cache:6379 refused', 'redis://:[password]@cache:6379 refused'],
    ['refused ada@localhost', 'refused [address]'],
    ['at node_modules/@scope/name/index.js', 'at node_modules/@scope/name/index.js'],
    ['relation "users" does not exist', 'relation "users" does not exist'],
  ])('%s', (text, blanked) => {
    expect(blankPersonalData(text)).toBe(blanked);
  });
});

describe('a process that cannot write its log', () => {
  /** A line of this length is written at once. Its write has ended, well or not, when a later one has. */
  const program = `
    import fs from 'node:fs';
    import { createLogger, flushLog } from '${import.meta.resolve('./logger.ts')}';
    const logger = createLogger({ level: 'info', process: 'test' });
    logger.info('x'.repeat(5_000));
    await new Promise((resolve) => fs.write(1, '', resolve));
    process.once('message', async () => {
      logger.info('stopped');
      await flushLog(logger);
      process.disconnect();
    });
    process.send('ready');`;
  const start = (stdout: 'pipe' | number): ChildProcess =>
    spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', stdout, 'inherit', 'ipc'],
    });
  const endingOf = async (child: ChildProcess) => {
    child.send('stop');
    return once(child, 'exit');
  };

  it('ends when the reader of its log is gone', async () => {
    const child = start('pipe');
    await once(child, 'message');
    child.stdout?.destroy();

    expect(await endingOf(child)).toEqual([0, null]);
  });

  /** A pipe, and not the socket that Node gives its children: only there a write fails at once. */
  it.each(['fatal', 'info'])(
    'ends when the reader of a pipe is gone, with a last line of level %s',
    async (level) => {
      const lastLine = `
      import { createLogger } from '${import.meta.resolve('./logger.ts')}';
      const logger = createLogger({ level: 'info', process: 'test' });
      process.stdin.once('data', () => {
        logger.${level}('the last line');
        process.exit(3);
      });`;
      const shell = spawn(
        'sh',
        ['-c', '"$0" "$@" | true; exit 0', process.execPath, '--input-type=module', '--eval', lastLine],
        {
          stdio: ['pipe', 'inherit', 'inherit'],
        },
      );
      onTestFinished(() => void shell.stdin?.destroy());
      shell.stdin?.write('now');

      expect(await once(shell, 'exit')).toEqual([0, null]);
    },
  );

  it.skipIf(!existsSync('/dev/full'))('works and ends while the disk of its log is full', async () => {
    const full = await open('/dev/full', 'w');
    const child = start(full.fd);
    await full.close();
    await once(child, 'message');

    expect(await endingOf(child)).toEqual([0, null]);
  });
});
