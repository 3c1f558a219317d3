import { setTimeout as pause } from 'node:timers/promises';
import { ACCOUNT_ROLES, type AccountRole, isOperatorRole, isRoleEnough } from '@assay/contract';
import { startTestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { createRandom } from '../support/random.ts';
import { Customer } from './customer.ts';
import { type Operation, operations, parametersOf } from './operations.ts';
import { ask, callAbout, fill, guarded, reading } from './own-calls.ts';
import type { AttackedProduct } from './product.ts';
import { type Told, uuidOf } from './samples.ts';
import type { Answer } from './send.ts';

export interface IsolationReport {
  readonly combinations: number;
  readonly faults: readonly string[];
}

/** Calls that may invalidate the token in use: new password, sign-out, account deletion. */
const endsSessions = ({ route }: Operation): boolean =>
  route.path.startsWith('/users/me') && (route.method === 'DELETE' || route.method === 'PUT');
const ofOperators = operations.filter(({ route }) => isOperatorRole(route.auth));
/** Calls that end the stranger's session or account come last, because answers after them would be 401 and prove nothing. */
const harmTo = (operation: Operation): number =>
  Number(endsSessions(operation)) + Number(operation.route.path === '/users/me');
const inOrder = guarded.toSorted((left, right) => harmTo(left) - harmTo(right));

/** Calls every operation on one customer's data as another customer, signed out, and with forged tokens. */
export async function checkIsolation(product: AttackedProduct, seed: number): Promise<IsolationReport> {
  const owner = await Customer.signUp(product);
  await fill(product, owner, seed);
  const before = await stillSnapshot(product, owner);
  const stranger = await Customer.signUp(product);
  const faults = inOrder.flatMap((operation) => missingThings(operation, owner.told));
  let combinations = 0;
  const forgeries = await forge(product, owner);

  for (const operation of inOrder) {
    const about = callAbout(operation, owner.told, seed);
    for (const [who, headers] of forgeries) {
      const answer = await ask(product, about, headers);
      combinations += 1;
      if (answer?.status !== 401)
        faults.push(`${operation.name} by ${who}: ${answer?.status ?? 'no answer'} instead of 401`);
    }
    for (const caller of ['key', 'bearer'] as const) {
      const headers = stranger.headersOf(caller);
      const answer = await ask(product, about, headers);
      combinations += 1;
      const isRefused = caller === 'key' && operation.route.auth === 'user';
      if (isRefused && answer?.status !== 403)
        faults.push(`${operation.name} by a stranger's key: ${answer?.status} instead of 403`);
      faults.push(
        ...revealed(operation, answer, owner).map(
          (what) => `${operation.name} by a stranger's ${caller}: ${what}`,
        ),
      );
      if (isRefused || endsSessions(operation) || !namesThings(operation, owner.told)) continue;
      const nothing = await ask(product, callAbout(operation, noThings(owner.told, seed), seed), headers);
      if (!isRefusal(answer))
        faults.push(
          `${operation.name} by a stranger's ${caller}: ${answer?.status ?? 'no answer'}, which proves nothing`,
        );
      const [is, should] = [outlineOf(answer), outlineOf(nothing)];
      if (is !== should)
        faults.push(
          `${operation.name} by a stranger's ${caller}: answers ${is}, and for what does not exist ${should}`,
        );
    }
  }
  for (const operation of ofOperators) {
    const about = callAbout(operation, owner.told, seed);
    const nowhere = { ...about, path: about.path.replace('/operator/', '/nowhere/') };
    const customers = [owner, stranger].flatMap((customer) =>
      (['key', 'bearer'] as const).map(
        (caller): Forgery => [`a customer's ${caller}`, customer.headersOf(caller)],
      ),
    );
    for (const [who, headers] of [...forgeries, ...customers]) {
      const [is, should] = [
        outlineOf(await ask(product, about, headers)),
        outlineOf(await ask(product, nowhere, headers)),
      ];
      combinations += 1;
      if (is !== should || !is.startsWith('404 '))
        faults.push(`${operation.name} by ${who}: answers ${is}, and an unknown address ${should}`);
    }
  }
  const after = await snapshot(product, owner);
  for (const [name, was] of before) {
    if (after.get(name) !== was) faults.push(`${name} of the owner was ${was} and is ${after.get(name)}`);
  }
  return { combinations, faults };
}

/** Calls every operation of customers in every role of an account. What a role may not do is refused for that reason. */
export async function checkRoles(product: AttackedProduct, seed: number): Promise<IsolationReport> {
  const faults: string[] = [];
  let combinations = 0;
  for (const role of ACCOUNT_ROLES) {
    const customer = await Customer.signUp(product);
    await fill(product, customer, seed);
    await product.database.pool.query('update memberships set role = $1 where account_id = $2', [
      role,
      customer.userId,
    ]);
    const refused = inOrder.filter((operation) => !mayCall(role, operation));
    const open = inOrder.filter((operation) => mayCall(role, operation));
    for (const operation of [...refused, ...open]) {
      const answer = await ask(
        product,
        callAbout(operation, customer.told, seed),
        customer.headersOf('bearer'),
      );
      combinations += 1;
      const should = mayCall(role, operation) ? 'no refusal of the role' : 'the refusal of the role';
      const is = isRefusalOfRole(answer) ? 'the refusal of the role' : 'no refusal of the role';
      if (is !== should || answer === null)
        faults.push(`${operation.name} by the role ${role}: ${outlineOf(answer)} instead of ${should}`);
      // Answers after it would be 401 and prove nothing.
      if (mayCall(role, operation) && endsSessions(operation)) break;
    }
  }
  return { combinations, faults };
}

const mayCall = (role: AccountRole, { route }: Operation): boolean =>
  route.leastRole !== undefined && isRoleEnough(role, route.leastRole);

const isRefusalOfRole = (answer: Answer | null): boolean =>
  answer?.status === 403 && JSON.parse(answer.body.toString()).errors[0].code === 'account_role';

/** Whether a call fails for another reason, such as a malformed body, which would fail for its owner too. */
const isRefusal = (answer: Answer | null): boolean => answer?.status === 404 || answer?.status === 403;

/** Unknown ids of the same kinds. */
function noThings(told: Told, seed: number): Told {
  const random = createRandom(seed + 1);
  const nothing = (value: string) => (/^\d+$/.test(value) ? '999999999' : uuidOf(random));
  return new Map([...told].map(([name, values]) => [name, isId(name) ? values.map(nothing) : values]));
}
const isId = (name: string): boolean => name.startsWith('/') || name === 'upload_id';

const namesThings = (operation: Operation, told: Told): boolean =>
  parametersOf(operation.route.path).some(({ collection }) => told.has(collection)) ||
  'upload_id' in operation.body;

/** Made by payments only. billing/payments/customer-portal.test.ts shows that strangers get none. */
const madeOutside = new Set(['/billing/me/invoices']);

/** Lists of the contract that are empty for the owner would prove nothing. */
const missingThings = ({ name, route }: Operation, told: Told): string[] =>
  parametersOf(route.path)
    .filter(
      ({ collection }) =>
        reading.some((read) => read.route.path === collection) &&
        !told.has(collection) &&
        !madeOutside.has(collection),
    )
    .map(({ collection }) => `${name}: the owner has nothing at ${collection} that strangers could ask for`);

/** Finds data of the owner in an answer to another caller. */
function revealed(operation: Operation, answer: Answer | null, owner: Customer): string[] {
  if (!answer || answer.status >= 400) return [];
  const text = answer.body.toString();
  const ids = [...owner.told].filter(([name]) => isId(name)).flatMap(([, values]) => values);
  const secrets = [owner.userId, String(owner.claims.email), ...ids.filter((id) => id.length > 20)];
  const told = secrets.filter((secret) => text.includes(secret));
  const isOwn =
    operation.route.method === 'GET'
      ? []
      : namesThings(operation, owner.told)
        ? [`answers ${answer.status}`]
        : [];
  return [...told.map((secret) => `tells ${secret}`), ...isOwn];
}

/** An answer without ids, to compare two answers. */
const outlineOf = (answer: Answer | null): string =>
  answer ? `${answer.status} ${answer.body.toString().replace(/"trace_id":"\w+"/, '')}` : 'nothing';

/** Everything that the owner can read, by operation. */
async function snapshot(product: AttackedProduct, owner: Customer): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const operation of reading) {
    const answer = await ask(product, callAbout(operation, owner.told, 1), owner.headersOf('bearer'));
    seen.set(operation.name, outlineOf(answer));
  }
  return seen;
}

const looksMax = 60;

/** The same once all work is complete, without parts that change with every call, such as links. */
async function stillSnapshot(product: AttackedProduct, owner: Customer): Promise<Map<string, string>> {
  let last = await snapshot(product, owner);
  for (let look = 0; look < looksMax; look += 1) {
    const next = await snapshot(product, owner);
    const isRunning = [...next.values()].some((text) => /"status":"(PENDING|IN_PROGRESS)"/.test(text));
    const same = new Map([...next].filter(([name, text]) => last.get(name) === text));
    if (!isRunning) return same;
    last = next;
    await pause(250);
  }
  throw new Error("The owner's work did not complete.");
}

type Forgery = readonly [who: string, headers: Record<string, string>];

/** Forged tokens for the owner's account, and no token. */
async function forge({ issuer }: AttackedProduct, owner: Customer): Promise<Forgery[]> {
  const { claims } = owner;
  const other = await startTestIssuer();
  const otherKey = await other.tokenFor({ ...claims, iss: issuer.url, aud: issuer.audience });
  await other.close();
  const [head = '', payload = '', signature = ''] = owner.token.split('.');
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const tokens: [string, string][] = [
    ['a token with alg none', `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`],
    ['a token without its signature', `${head}.${payload}.`],
    ['a token of another key', otherKey],
    [
      'a token of another key by our key id',
      `${encode({ alg: 'ES256', kid, typ: 'at+jwt' })}.${otherKey.split('.').slice(1).join('.')}`,
    ],
    [
      'an expired token',
      await issuer.tokenFor(claims, { issuedAt: new Date(Date.now() - 7_200_000), lifeSeconds: 3_600 }),
    ],
    ['a token for another audience', await issuer.tokenFor({ ...claims, aud: 'https://other.test' })],
    ['a token of another issuer', await issuer.tokenFor({ ...claims, iss: 'https://other.test' })],
    [
      'a token with other claims',
      `${head}.${encode({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'admin' })}.${signature}`,
    ],
  ];
  return [
    ['nobody', {}],
    ['the web app alone', { 'x-api-key': 'assay-web' }],
    ...tokens.map(([who, token]) => [who, { authorization: `Bearer ${token}` }] as const),
  ];
}
