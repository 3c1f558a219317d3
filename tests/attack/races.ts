import { randomUUID } from 'node:crypto';
import { runAssay } from '../support/product-process.ts';
import { createRandom } from '../support/random.ts';
import { Deadline } from '../support/until.ts';
import { Customer, read } from './customer.ts';
import { goodForm } from './forms.ts';
import { goodCall, requestOf, withDetectedColumns } from './generate.ts';
import { type Operation, operations } from './operations.ts';
import type { AttackedProduct } from './product.ts';
import { type Answer, sendHttp } from './send.ts';

export interface RaceReport {
  readonly races: number;
  readonly faults: readonly string[];
}

/** Calls that cost credits: the contract gives them an idempotency key. */
const charging = operations.filter(({ route }) => route.takesIdempotencyKey);
const previews = operations.filter(({ route }) => route.multipart && !route.takesIdempotencyKey);
const atOnce = 6;

/** A person whose address is found, so that the guess is charged. */
const provable = { first_name: '"Jane"', last_name: '"Doe"', domain: '"dotted.test"' };

type Race = (product: AttackedProduct, operation: Operation) => Promise<string[]>;

/** Makes many simultaneous calls that cost credits; afterwards the ledger must agree. */
export async function runRaces(product: AttackedProduct): Promise<RaceReport> {
  const races: [string, Race][] = [
    ['with a balance of 1', spendTheLastCredit],
    ['by one key with a balance of 1', repeatByKey],
    ['while the account is deleted', spendWhileLeaving],
  ];
  const faults: string[] = [];
  for (const operation of charging) {
    for (const [what, race] of races) {
      const found = await race(product, operation);
      faults.push(...found.map((fault) => `${operation.name} ${what}: ${fault}`));
    }
  }
  faults.push(...(await redeemAtOnce(product)), ...(await deleteAtOnce(product)), ...(await audit(product)));
  return { races: charging.length * races.length + 2, faults };
}

async function spendTheLastCredit(product: AttackedProduct, operation: Operation): Promise<string[]> {
  const customer = await Customer.signUp(product, 1);
  const calls = await prepare(product, customer, operation, atOnce);
  const answers = await Promise.all(calls.map((call) => call()));
  const statuses = answers.map((answer) => answer?.status ?? 0).sort();
  const isRight =
    statuses[0] === operation.route.success.status && statuses.slice(1).every((status) => status === 402);
  return isRight ? [] : [`answered ${statuses.join(', ')} instead of one success`];
}

async function repeatByKey(product: AttackedProduct, operation: Operation): Promise<string[]> {
  const customer = await Customer.signUp(product, 1);
  const [call] = await prepare(product, customer, operation, 1, { 'idempotency-key': randomUUID() });
  const answers = await Promise.all(Array.from({ length: atOnce }, () => call?.() ?? null));
  const faults: string[] = [];
  const statuses = new Set(answers.map((answer) => answer?.status ?? 0));
  if (statuses.size !== 1 || !statuses.has(operation.route.success.status))
    faults.push(`answered ${[...statuses].join(', ')}`);
  const ids = new Set(answers.map((answer) => (read(answer) as { id?: string }).id));
  if (ids.size !== 1) faults.push(`made ${ids.size} things`);
  return faults;
}

async function spendWhileLeaving(product: AttackedProduct, operation: Operation): Promise<string[]> {
  const customer = await Customer.signUp(product);
  const calls = await prepare(product, customer, operation, atOnce);
  const leave = () => customer.send('DELETE', '/users/me');
  const answers = await Promise.all(
    [...calls.slice(0, 3), leave, ...calls.slice(3), leave].map((call) => call()),
  );
  return answers
    .filter((answer) => !answer || answer.status >= 500)
    .map((answer) => `answered ${answer ? `${answer.status} ${answer.body}` : 'nothing'}`);
}

async function redeemAtOnce(product: AttackedProduct): Promise<string[]> {
  const customer = await Customer.signUp(product, 1);
  const path = `/billing/coupons/${product.couponCode}/redemption`;
  const answers = await Promise.all(Array.from({ length: atOnce }, () => customer.send('POST', path)));
  const { balance } = read(await customer.send('GET', '/billing/me')) as { balance: number };
  const successes = answers.filter((answer) => answer?.status === 200).length;
  return successes === 1 && balance === 2
    ? []
    : [`a coupon at once: ${successes} redeemed it, the balance is ${balance}`];
}

/** Deleting a running list many times returns its credits once. */
async function deleteAtOnce(product: AttackedProduct): Promise<string[]> {
  const customer = await Customer.signUp(product);
  const emails = Array.from({ length: 300 }, (_, index) => `jane${index}@tarpit.test`);
  const { id } = read(await customer.send('POST', '/validations/lists', { emails })) as { id: string };
  const answers = await Promise.all(
    Array.from({ length: atOnce }, () => customer.send('DELETE', `/validations/lists/${id}`)),
  );
  const statuses = answers.map((answer) => answer?.status ?? 0);
  const isRight = statuses.includes(204) && statuses.every((status) => status === 204 || status === 404);
  return isRight ? [] : [`a list deleted at once: answered ${statuses.join(', ')}`];
}

async function audit({ environment }: AttackedProduct): Promise<string[]> {
  return runAssay(environment, 'ledger', 'audit').then(
    () => [],
    (error: Error) => [error.message],
  );
}

/** Calls that cost one credit each. Creates what they need, such as uploads. */
async function prepare(
  product: AttackedProduct,
  customer: Customer,
  operation: Operation,
  count: number,
  headers: Record<string, string> = {},
): Promise<(() => Promise<Answer | null>)[]> {
  const calls: (() => Promise<Answer | null>)[] = [];
  const lists = operation.route.path.includes(':list_id')
    ? await unknownLists(product, customer, operation)
    : [];
  for (let index = 0; index < count; index += 1) {
    const needsUpload = operation.requiredFields.has('upload_id');
    const told = new Map(lists);
    if (needsUpload) told.set('upload_id', [await upload(product, customer, operation)]);
    const call = goodCall(operation, createRandom(1), told);
    // One address or one person: random values would change the price.
    if ('emails' in operation.body) call.body.set('emails', '["jane@exists.test"]');
    if ('email_address' in operation.body) call.body.set('email_address', '"jane@exists.test"');
    if ('domain' in operation.body) {
      call.body.clear();
      for (const [field, json] of Object.entries(provable)) call.body.set(field, json);
    }
    if (operation.route.multipart) call.body.delete('upload_id');
    call.body.delete('name');
    const request = requestOf({ ...call, query: [] }, '', { ...createRandom(1), share: () => 0.9 });
    calls.push(() =>
      sendHttp(product.target, {
        ...request,
        headers: { ...request.headers, ...headers, ...customer.headersOf('bearer') },
      }),
    );
  }
  return calls;
}

/** Nobody is checked before the list is finished: the host takes its time. */
const slowPerson = goodForm([], 'name,domain\r\nJane Doe,tarpit.test\r\n');

/** A complete list with one unknown row, which was never checked and so cost nothing, by the path of its kind. */
async function unknownLists(
  product: AttackedProduct,
  customer: Customer,
  operation: Operation,
): Promise<[string, string[]][]> {
  const [feature = ''] = operation.name.split('.');
  const path = `/${feature}/lists`;
  const created =
    feature === 'guessing'
      ? await customer.send('POST', `${path}_bulk`, {
          upload_id: await upload(product, customer, operation, slowPerson),
          with_headers: true,
        })
      : await customer.send('POST', path, { emails: ['jane@tarpit.test'] });
  const { id } = read(created) as { id: string };
  await customer.send('POST', `${path}/${id}/pause`);
  await customer.send('POST', `${path}/${id}/finish`);
  await new Deadline(60_000).until('the list is complete', async () => {
    const { status } = read(await customer.send('GET', `${path}/${id}`)) as { status: string };
    return status === 'COMPLETE';
  });
  return [[path, [id]]];
}

/** Gets an upload id from the preview call of the same feature. */
async function upload(
  product: AttackedProduct,
  customer: Customer,
  { name }: Operation,
  form?: { readonly body: Buffer },
): Promise<string> {
  const feature = name.split('.')[0];
  const preview = previews.find((candidate) => candidate.name.startsWith(`${feature}.`));
  if (!preview) throw new Error(`${name} takes an upload_id, and no preview of ${feature} gives one.`);
  const random = createRandom(1);
  const call = withDetectedColumns(goodCall(preview, random, new Map()));
  const request = requestOf(call, '', { ...random, share: () => 0.9 });
  const answer = await sendHttp(product.target, {
    ...request,
    ...(form && { body: form.body }),
    path: request.path.split('?', 1)[0] ?? '',
    headers: { ...request.headers, ...customer.headersOf('bearer') },
  });
  return (read(answer) as { upload_id: string }).upload_id;
}
