import { randomUUID } from 'node:crypto';
import { addJob } from './jobs.ts';
import type { Product } from './product.ts';

/** Every kind of job that a list uses. */
const queues = [
  'validations.verify-long-list',
  'validations.verify-short-list',
  'validations.resume-list',
  'validations.finish-list',
];

const [ownerId, listId] = [randomUUID(), randomUUID()];
/** Payloads that no version has written, or that belong to nobody. */
const malformed: unknown[] = [
  null,
  [],
  'validations',
  {},
  { ownerId, listId, chunkNumber: '0', run: 'first', fromChunk: {} },
  { ownerId: 'x'.repeat(100_000), listId, chunkNumber: 0, run: 0, fromChunk: 0 },
];

/** Adds jobs that can only fail, before all others of their queues. Each is tried twice, then it is a dead letter. */
export async function poison(product: Product): Promise<number> {
  for (const queue of queues) {
    for (const payload of malformed) await requireJob(product, queue, payload, { retryLimit: 1 });
  }
  // This one is well-formed: its list does not exist, so there is nothing to do and it ends like any other job. It has the
  // retries of its queue, because other faults may interrupt it.
  await requireJob(product, 'validations.verify-long-list', { ownerId, listId, chunkNumber: 0, run: 0 });
  product.poisoned = Object.fromEntries(queues.toSorted().map((queue) => [queue, malformed.length]));
  return queues.length * malformed.length;
}

async function requireJob(...[product, queue, payload, options]: Parameters<typeof addJob>): Promise<void> {
  if (!(await addJob(product, queue, payload, options))) throw new Error(`there is no queue ${queue}`);
}
