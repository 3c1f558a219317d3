import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { ValidationList } from '@assay/contract';
import type { Customer } from '../support/customer.ts';
import type { Deadline } from '../support/until.ts';
import { isWaiting, whileHeld } from './faults.ts';
import type { ApiMoment, RoundPlan } from './plan.ts';
import type { Product } from './product.ts';

interface Making {
  readonly product: Product;
  readonly customer: Customer;
  readonly deadline: Deadline;
  readonly text: string;
  readonly plan: RoundPlan;
}

type Send<Answer> = (fetch: typeof globalThis.fetch) => Promise<Answer>;

/** Uploads the file and creates a list, while the API is killed once and the client tries again. */
export async function makeList(making: Making): Promise<ValidationList> {
  const { customer, plan } = making;
  const isKilledAtUpload = plan.apiDies === 'while the file arrives';
  if (plan.repeatsBy === 'Idempotency-Key') {
    const idempotencyKey = randomUUID();
    const create: Send<ValidationList> = (fetch) =>
      customer
        .clientWith(fetch)
        .validations.createList({ body: { list_raw: fileOf(making) }, idempotencyKey });
    return isKilledAtUpload ? killedAtUpload(making, create) : killedAtCreation(making, create);
  }

  const preview: Send<{ upload_id: string }> = (fetch) =>
    customer.clientWith(fetch).validations.previewList({ body: { list_raw: fileOf(making) } });
  const { upload_id } = await (isKilledAtUpload ? killedAtUpload(making, preview) : preview(fetch));
  const create: Send<ValidationList> = (fetch) =>
    customer.clientWith(fetch).validations.createList({ body: { upload_id } });
  return isKilledAtUpload ? create(fetch) : killedAtCreation(making, create);
}

const fileOf = ({ text }: Making): File => new File([text], 'people.csv', { type: 'text/csv' });

/** The API dies when half of the file is stored. */
async function killedAtUpload<Answer>(making: Making, send: Send<Answer>): Promise<Answer> {
  const { product, deadline } = making;
  const dead = Promise.withResolvers<void>();
  const isLost = send(fetchInHalves(dead.promise)).then(
    () => false,
    () => true,
  );
  await deadline.until('half a file is stored', async () =>
    (await readdir(product.filesFolder, { recursive: true })).some((name) => name.endsWith('.part')),
  );
  await product.endApi();
  dead.resolve();
  if (!(await isLost)) throw new Error('a dead API answered an upload');
  await product.startApi();
  return send(fetch);
}

/** Sends the first half of a body, and the second once the gate opens. */
function fetchInHalves(gate: Promise<void>): typeof globalThis.fetch {
  return async (input, init) => {
    const whole = new Request(input as string, init);
    const bytes = new Uint8Array(await whole.clone().arrayBuffer());
    const body = new ReadableStream<Uint8Array>({
      start: async (controller) => {
        controller.enqueue(bytes.subarray(0, bytes.length / 2));
        await gate;
        controller.enqueue(bytes.subarray(bytes.length / 2));
        controller.close();
      },
    });
    return fetch(whole.url, { method: 'POST', headers: whole.headers, body, duplex: 'half' } as RequestInit);
  };
}

// The API waits for a table that we lock when it is killed, so that it dies exactly at this moment.
const heldAt: Partial<Record<ApiMoment, string>> = {
  'while rows are copied': 'lock table list_rows in access exclusive mode',
  'while pieces of work are copied': 'lock table list_chunks in access exclusive mode',
  'while the hold is placed': 'lock table holds in share row exclusive mode',
};

async function killedAtCreation(making: Making, send: Send<ValidationList>): Promise<ValidationList> {
  const { product, plan } = making;
  const held = heldAt[plan.apiDies];
  if (!held) return killedAtPublication(making, send);
  await killedWhileHeld(making, send, held);
  await product.startApi();
  return send(fetch);
}

async function killedWhileHeld(
  { product, deadline }: Making,
  send: Send<ValidationList>,
  held: string,
): Promise<void> {
  const lost = await whileHeld(product, held, async () => {
    const answer = settled(send(fetch));
    await deadline.until('the API waits in the middle of a creation', () => isWaiting(product, 'assay api'));
    await product.endApi();
    return answer;
  });
  if (lost.kind === 'answered') throw new Error('a dead API answered a creation');
}

/** Blocks results until the client has its list, so that later faults find workers at work. */
function killedAtPublication(
  { product, deadline }: Making,
  send: Send<ValidationList>,
): Promise<ValidationList> {
  return whileHeld(product, 'lock table list_results in share row exclusive mode', async () => {
    const answer = settled(send(fetch));
    await deadline.until('the list is published', async () => {
      const published = await product.ask(`select 1 from lists where status <> 'DRAFT'`);
      return published.length > 0;
    });
    await product.endApi();
    // The first call may or may not have succeeded; the client repeats it in both cases.
    await answer;
    await product.startApi();
    return send(fetch);
  });
}

const settled = <Value>(promise: Promise<Value>) =>
  promise.then(
    () => ({ kind: 'answered' as const }),
    () => ({ kind: 'lost' as const }),
  );
