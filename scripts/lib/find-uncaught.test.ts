import { describe, expect, it } from 'vitest';
import { findUncaught } from './find-uncaught.ts';

const complaintsOf = (text: string) => findUncaught('example.ts', text);

describe('errors without a listener', () => {
  it.each([
    ["import { createSocket } from 'node:dgram';", "const socket = createSocket('udp4');"],
    ["import { createServer as listen } from 'node:http';", 'const server = listen(); server.listen(0);'],
    ["import { connect } from 'node:net';", "const socket = connect(25); socket.on('close', () => {});"],
    ["import { spawn } from 'node:child_process';", "member.child = spawn('sh');"],
    ["import { Worker } from 'node:worker_threads';", "new Worker('a.ts').on('exit', () => {});"],
    ["import pg from 'pg';", 'const open = () => new pg.Client({});'],
    ["import { createReadStream } from 'node:fs';", 'const read = () => createReadStream(path);'],
    ["import { createReadStream } from 'node:fs';", 'createInterface({ input: createReadStream(path) });'],
    ["import { connect } from 'node:tls';", 'export function encrypt() { return connect({}); }'],
  ])('are found: %s %s', (imported, code) => {
    expect(complaintsOf(`${imported}\n${code}`)).toEqual([expect.stringContaining('example.ts:2:')]);
  });

  it('are found where a function of the same file returns what it created', () => {
    const returned = "import { spawn } from 'node:child_process';\nconst vite = start();\n";
    const start = "function start() { return spawn('vite'); }";
    expect(complaintsOf(returned + start)).toEqual([expect.stringContaining('example.ts:2: start needs')]);
    expect(complaintsOf(`${returned}vite.on('error', () => {});\n${start}`)).toEqual([]);
  });

  it('are fine when a listener is set in the chain, by name, or by condition', () => {
    expect(
      complaintsOf(`import { createConnection } from 'node:net';
        import pg from 'pg';
        createConnection(1).setNoDelay(true).on('error', () => {});
        const socket = isProxied ? createConnection(1) : createConnection(2);
        socket.once('error', () => {});
        this.pool = new pg.Pool({});
        this.pool.on('error', () => {});`),
    ).toEqual([]);
  });

  it('are fine when a stream is read at once', () => {
    expect(
      complaintsOf(`import { createReadStream, createWriteStream } from 'node:fs';
        async function* pieces() { yield* createReadStream(path); }
        for await (const piece of createReadStream(path)) take(piece);
        await pipeline(source, createWriteStream(path));`),
    ).toEqual([]);
  });

  it('need a listener that stays where errors can come again', () => {
    const server = "import { createServer } from 'node:net';\nconst server = createServer();\n";
    expect(complaintsOf(`${server}server.once('error', () => {});`)).toHaveLength(1);
    expect(complaintsOf(`${server}server.on('error', () => {});`)).toEqual([]);
  });
});

describe('callbacks that nothing awaits', () => {
  it.each([
    'setInterval(async () => {}, 1_000);',
    "socket.on('message', async (bytes) => {});",
    'schedule(async function look() {}, 5);',
    'new Promise(async (resolve) => {});',
  ])('must not be async: %s', (code) => {
    expect(complaintsOf(code)).toEqual([expect.stringContaining('does not await')]);
  });

  it('may be plain, and hooks that are awaited may be async', () => {
    expect(
      complaintsOf("setTimeout(() => look().catch(log), 5);\napp.addHook('onClose', async () => {});"),
    ).toEqual([]);
  });
});

it('pipe is found, except that of the schema library', () => {
  expect(complaintsOf('source.pipe(target);')).toEqual([expect.stringContaining('use pipeline')]);
  expect(complaintsOf('z.pipe(text, number);')).toEqual([]);
});
