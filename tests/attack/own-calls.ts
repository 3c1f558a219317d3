import { isOperatorRole } from '@assay/contract';
import { createRandom } from '../support/random.ts';
import type { Customer } from './customer.ts';
import { goodCall, requestOf, withDetectedColumns } from './generate.ts';
import { type Operation, operations } from './operations.ts';
import type { AttackedProduct } from './product.ts';
import type { HttpRequest } from './request.ts';
import type { Told } from './samples.ts';
import { type Answer, sendHttp } from './send.ts';

/** Calls of customers. */
export const guarded = operations.filter(
  ({ route }) => route.auth !== 'public' && !isOperatorRole(route.auth),
);

/** Calls every POST twice, so that calls which need an id of another call find it, then reads every list. */
export async function fill(product: AttackedProduct, owner: Customer, seed: number): Promise<void> {
  const rounds = [...creating, ...creating, ...reading, ...reading];
  await giveMailbox(product, owner);
  for (const operation of rounds) {
    const answer = await ask(product, callAbout(operation, owner.told, seed), owner.headersOf('bearer'));
    owner.learn(operation, answer);
  }
}
/** No host of a mailbox answers here. */
async function giveMailbox({ database: { pool } }: AttackedProduct, { userId }: Customer): Promise<void> {
  await pool.query(
    `insert into outcome_mailboxes (owner_id, id, host, user_name, sealed_secret, folder, due_at, created_at)
     values ($1, gen_random_uuid(), 'imap.exists.test', 'bounces', '', 'INBOX', 'infinity', now())`,
    [userId],
  );
}

const creating = guarded.filter(({ route }) => route.method === 'POST');
export const reading = guarded.filter(({ route }) => route.method === 'GET');

/** The operation as its owner would call it, with known ids. */
export function callAbout(operation: Operation, told: Told, seed: number): HttpRequest {
  const random = createRandom(seed);
  const call = withDetectedColumns(goodCall(operation, random, firsts(told)));
  const uploadId = told.get('upload_id')?.[0];
  if ('upload_id' in operation.body && uploadId) call.body.set('upload_id', JSON.stringify(uploadId));
  // The addresses of this call are optional, and a random one could be malformed.
  if ('email_address' in operation.body) call.body.set('email_address', '"jane@exists.test"');
  // Whether a feed has a key or a topic depends on its sender.
  if ('sender' in operation.body) call.body.set('sender', '"mailgun"');
  if ('topic_arn' in operation.body) {
    call.body.set('key', '"a key of the sender"');
    call.body.delete('topic_arn');
  }
  // The path already has the id, and a different id in the body is refused.
  call.body.delete('id');
  // Without filters, from the first page: everything that the owner has.
  const query = call.query.filter(([name]) => operation.requiredFields.has(name) && name !== 'page_number');
  return requestOf({ ...call, query }, '', { ...random, share: () => 0.9 });
}

const firsts = (told: Told): Told => new Map([...told].map(([name, values]) => [name, values.slice(0, 1)]));

/** Sends the request with these credentials. */
export async function ask(
  product: AttackedProduct,
  request: HttpRequest,
  headers: Record<string, string>,
): Promise<Answer | null> {
  const { 'idempotency-key': _, ...own } = request.headers;
  return sendHttp(product.target, { ...request, headers: { ...own, ...headers } });
}
