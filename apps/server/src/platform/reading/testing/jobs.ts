// Jobs for the tests of the reading threads. Threads load this file by its address.
import { threadId } from 'node:worker_threads';
import { AppError } from '../../errors/index.ts';
import { defineReadJob } from '../read-job.ts';

const job = <Options, Result>(name: string, run: Parameters<typeof defineReadJob<Options, Result>>[2]) =>
  defineReadJob(import.meta.url, name, run);

export const echo = job('echo', async ({ bytes, write }, _: unknown) => {
  for await (const piece of bytes) await write(piece);
  return { threadId };
});

export const measure = job('measure', async ({ bytes }, _: unknown) => {
  let byteCount = 0;
  for await (const piece of bytes) byteCount += piece.length;
  return { byteCount, threadId };
});

export const refuse = job('refuse', async (_file, row: number) => {
  throw new AppError('file_broken_quoting', { row }, { text: `Broken in row ${row}.`, meta: { row } });
});

export const fail = job('fail', async () => {
  throw new TypeError('a mistake of ours');
});

export const spin = job('spin', async () => {
  for (;;);
});

export const hoard = job('hoard', async () => {
  const kept: unknown[] = [];
  for (;;) kept.push(Array.from({ length: 1_000 }, () => ({})));
});
