import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../logging/index.ts';
import { createMetrics, type Metrics } from '../metrics/index.ts';
import { type FileOrder, openReadingPool, type ReadingPool } from './reading-pool.ts';
import { echo, fail, hoard, measure, refuse, spin } from './testing/jobs.ts';

const logLines: Record<string, unknown>[] = [];
const logger = createLogger({
  level: 'warn',
  process: 'test',
  destination: { write: (line) => logLines.push(JSON.parse(line)) },
});

let pool: ReadingPool;
let metrics: Metrics;
const open = (options: Partial<Parameters<typeof openReadingPool>[0]> = {}): ReadingPool => {
  metrics = createMetrics();
  pool = openReadingPool({ logger, metrics, threadsMax: 2, ...options });
  return pool;
};
afterEach(() => pool.close());

async function* pieces(count: number, length = 50_000): AsyncGenerator<Buffer> {
  for (let piece = 0; piece < count; piece++) yield Buffer.alloc(length, piece);
}
const fileOf = (more: Partial<FileOrder> = {}): FileOrder => ({
  ownerId: 'a',
  byteCount: 1_000_000,
  ...more,
});
const shown = async (name: string): Promise<string | undefined> =>
  (await metrics.registry.getSingleMetricAsString(name)).split('\n').find((line) => line.startsWith(name));

describe('reading threads', () => {
  it('read a file on another thread, and hand on what the job writes', async () => {
    const { output, result } = open().read(echo, fileOf({ bytes: pieces(40) }), null);
    const written = Buffer.concat(await Array.fromAsync(output));
    expect(written.equals(Buffer.concat(await Array.fromAsync(pieces(40))))).toBe(true);
    expect((await result).threadId).toBeGreaterThan(0);
  });

  it('read a short file in place', async () => {
    const file = fileOf({ bytes: pieces(1, 100), byteCount: 100 });
    const { output, result } = open().read(echo, file, null);
    expect(Buffer.concat(await Array.fromAsync(output))).toHaveLength(100);
    expect((await result).threadId).toBe((await import('node:worker_threads')).threadId);
  });

  it('wait with the file while nobody takes the output', async () => {
    let sent = 0;
    async function* counted() {
      for await (const piece of pieces(1_000)) {
        sent += 1;
        yield piece;
      }
    }
    const { output, result } = open().read(echo, fileOf({ bytes: counted() }), null);
    result.catch(() => undefined);
    await once(output, 'readable');
    const [first] = await Promise.all([output[Symbol.asyncIterator]().next(), once(output, 'readable')]);
    expect(first.value).toHaveLength(50_000);
    expect(sent).toBeLessThan(30);
    output.destroy();
  });

  it('pass a refusal on, and work on with the same thread', async () => {
    open({ threadsMax: 1 });
    const first = await pool.read(measure, fileOf({ bytes: pieces(1) }), null).result;
    await expect(pool.read(refuse, fileOf(), 7).result).rejects.toMatchObject({
      code: 'file_broken_quoting',
      message: 'Broken in row 7.',
      meta: { row: 7 },
    });
    await expect(pool.read(fail, fileOf(), null).result).rejects.toThrow('a mistake of ours');
    async function* broken() {
      yield Buffer.from('x');
      throw new Error('the store is away');
    }
    await expect(pool.read(measure, fileOf({ bytes: broken() }), null).result).rejects.toThrow(
      'the store is away',
    );
    expect((await pool.read(measure, fileOf({ bytes: pieces(1) }), null).result).threadId).toBe(
      first.threadId,
    );
  });

  it('422 for a file that takes too long, while others are read', async () => {
    open({ cpuMsFor: () => 300 });
    const hard = pool.read(spin, fileOf({ ownerId: 'hard' }), null).result;
    expect((await pool.read(measure, fileOf({ bytes: pieces(3) }), null).result).byteCount).toBe(150_000);
    await expect(hard).rejects.toMatchObject({ code: 'file_too_complex', status: 422 });
    expect(logLines.at(-1)).toMatchObject({ msg: 'gave a file up', job: 'spin', reason: 'time' });
    expect(await shown('assay_files_given_up_total')).toBe('assay_files_given_up_total{reason="time"} 1');
  });

  it('503 for a file whose bytes do not come, while others are read', async () => {
    open({ threadMsFor: (byteCount) => (byteCount < 10_000 ? 300 : 60_000) });
    const never = new Promise<never>(() => undefined);
    async function* stalled() {
      yield Buffer.from('email');
      await never;
    }
    const late = pool.read(
      measure,
      fileOf({ ownerId: 'late', byteCount: 9_000, bytes: stalled() }),
      null,
    ).result;
    late.catch(() => undefined);
    expect((await pool.read(measure, fileOf({ bytes: pieces(3) }), null).result).byteCount).toBe(150_000);
    await expect(late).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 60 });
    expect(logLines.at(-1)).toMatchObject({ msg: 'gave a file up', job: 'measure', reason: 'delay' });
  });

  it('503 for a file whose output nobody takes', async () => {
    open({ threadMsFor: () => 300 });
    const { result } = pool.read(echo, fileOf({ bytes: pieces(1_000) }), null);
    await expect(result).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it.each([16, 64])('read a small file while large ones of %i customers are under way', async (customers) => {
    open({ threadsMax: 3 });
    const gone = new AbortController();
    const large = Array.from({ length: customers }, (_, index) => {
      const file = fileOf({ ownerId: `large ${index}`, byteCount: 2_000_000, signal: gone.signal });
      return pool.read(spin, file, null).result;
    });
    for (const one of large) one.catch(() => undefined);
    expect(await shown('assay_files_waiting')).toBe(`assay_files_waiting ${customers - 2}`);
    const small = fileOf({ ownerId: 'small', bytes: pieces(1) });
    expect((await pool.read(measure, small, null).result).byteCount).toBe(50_000);
    gone.abort(new Error('gone'));
    await Promise.allSettled(large);
  });

  it.each([
    { threadsMax: 3, running: 1 },
    { threadsMax: 5, running: 2 },
  ])(
    'read $running files of one customer at a time on $threadsMax threads',
    async ({ threadsMax, running }) => {
      open({ threadsMax });
      const gone = new AbortController();
      const files = Array.from(
        { length: 4 },
        () => pool.read(spin, fileOf({ signal: gone.signal }), null).result,
      );
      for (const one of files) one.catch(() => undefined);
      expect(await shown('assay_files_waiting')).toBe(`assay_files_waiting ${4 - running}`);
      gone.abort(new Error('gone'));
      await Promise.allSettled(files);
    },
  );

  it('422 for a file that needs too much memory, and the process lives on', async () => {
    await expect(open().read(hoard, fileOf(), null).result).rejects.toMatchObject({
      code: 'file_too_complex',
    });
    expect((await pool.read(measure, fileOf({ bytes: pieces(1) }), null).result).byteCount).toBe(50_000);
  });

  it('stop a job when nobody waits for it any more, whatever it does', async () => {
    open({ threadsMax: 1 });
    const gone = new AbortController();
    const spinning = pool.read(spin, fileOf({ signal: gone.signal }), null).result;
    const waiting = pool.read(measure, fileOf({ signal: gone.signal, bytes: pieces(1) }), null).result;
    const patient = pool.read(measure, fileOf({ bytes: pieces(1) }), null).result;
    gone.abort(new Error('gone'));
    await expect(spinning).rejects.toThrow('gone');
    await expect(waiting).rejects.toThrow('gone');
    expect((await patient).byteCount).toBe(50_000);
  });

  it('429 when too many files of one customer wait, while another is read', async () => {
    open({ waitingPerOwnerMax: 2 });
    const gone = new AbortController();
    const hard = Array.from(
      { length: 3 },
      () => pool.read(spin, fileOf({ signal: gone.signal }), null).result,
    );
    for (const one of hard) one.catch(() => undefined);
    expect(await shown('assay_files_waiting')).toBe('assay_files_waiting 2');
    await expect(pool.read(measure, fileOf({ bytes: pieces(1) }), null).result).rejects.toMatchObject({
      code: 'too_many_requests',
      meta: { retry_after_seconds: 10 },
    });
    const neighbour = fileOf({ ownerId: 'neighbour', bytes: pieces(1) });
    expect((await pool.read(measure, neighbour, null).result).byteCount).toBe(50_000);
    gone.abort(new Error('gone'));
    await Promise.allSettled(hard);
  });
});
