import { readFileSync, writeFileSync } from 'node:fs';
import { type Client, createClient } from '@assay/client';
import {
  API_BASE,
  GUESSING_DOCS_COOKIE,
  type GuessList,
  KEY_SCOPES,
  type ValidationList,
} from '@assay/contract';
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { answeredStatus } from '../../../apps/server/src/features/docs/reference/describe-document.ts';
import { programsOf } from '../../../apps/server/src/features/docs/reference/example-programs.ts';
import { exampleOf, SAMPLE_ID } from '../../../apps/server/src/features/docs/reference/example-requests.ts';
import {
  type OpenApiDocument,
  type Operation,
  type OperationName,
  operationsOf,
} from '../../../apps/server/src/features/docs/reference/operations.ts';
import { assay } from '../support/assay-command.ts';
import { type Customer, newCustomer } from '../support/customer.ts';
import { startEventReceiver } from '../support/receiver.ts';

/** Set to record the answers anew, after a change of the contract or of an example. */
const isRecording = process.env.RECORD_ANSWERS !== undefined;
const recordedFile = new URL(
  '../../../apps/server/src/features/docs/reference/answers.json',
  import.meta.url,
);

/** Calls that need what no program can prepare, such as a payment: the example is refused for this reason only. */
const refused: { readonly [Name in OperationName]?: string } = {
  'billing.confirmPack': 'checkout_not_found',
  'billing.setAutomaticTopUp': 'card_missing',
  'billing.openInvoice': 'invoice_not_found',
  'users.endSessionById': 'session_not_found',
  'outcomeMailboxes.connectMailbox': 'outcome_mailbox_not_open',
  'outcomeMailboxes.updateMailbox': 'outcome_mailbox_not_found',
  'outcomeMailboxes.deleteMailbox': 'outcome_mailbox_not_found',
  'warmUp.finishAuthorization': 'mailbox_state_invalid',
  'warmUp.removeCredential': 'mailbox_not_found',
  'warmUp.removeProviderCredential': 'mailbox_not_found',
};
/** Calls after which the token is refused: each gets a customer of its own. */
const endsSession = new Set<OperationName>([
  'users.deleteMe',
  'users.resetPassword',
  'users.changePassword',
  'users.endOtherSessions',
  'users.endSession',
]);
/** Their answers are what others need. */
const first: readonly OperationName[] = [
  'validations.startSingle',
  'validations.createListFromEmails',
  'validations.previewList',
  'validations.createExportLink',
  'users.createApiKey',
  'users.createScopedKey',
  'webhooks.createWebhook',
  'feeds.createFeed',
  'webhooks.sendTest',
  'webhooks.listDeliveries',
  'validations.listEmails',
  'guessing.startGuess',
  'guessing.previewList',
  'guessing.estimateList',
  'guessing.exportExclusions',
  'guessing.createList',
  'guessing.listLists',
];

let operations: Operation[];
beforeAll(async () => {
  // As for a reader with the flag, who sees every call.
  const answer = await fetch(`${inject('product').url}/docs/openapi.json`, {
    headers: { cookie: `${GUESSING_DOCS_COOKIE.name}=${GUESSING_DOCS_COOKIE.value}` },
  });
  operations = operationsOf((await answer.json()) as OpenApiDocument);
});

/** Creators first, deleters last. */
function inOrder(): Operation[] {
  const rank = ({ name, contract }: Operation) => {
    if (first.includes(name)) return first.indexOf(name) - first.length;
    return contract.method === 'DELETE' ? contract.path.length * -1 + 1_000 : 0;
  };
  return operations.toSorted((left, right) => rank(left) - rank(right));
}

interface Run {
  readonly answer: unknown;
  /** Of the last call. */
  readonly status: number;
  readonly refusal: string | null;
}

/** Runs the program of the page. Values that differ for each customer are replaced in its text. */
async function runProgram(
  operation: Operation,
  credentials: { token: string; key: string },
  replaced: ReadonlyMap<string, string>,
): Promise<Run> {
  const program = programsOf(operation, `${inject('product').url}${API_BASE}`).find(
    ({ language }) => language === 'ts',
  );
  let code = program?.code.replace(/^import .*\n/, '') ?? '';
  for (const [shown, real] of replaced) code = code.replaceAll(`'${shown}'`, `'${real}'`);
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  let answer: unknown = null;
  let status = 0;
  const surroundings = {
    createClient: (options: Parameters<typeof createClient>[0]) =>
      createClient({
        ...options,
        fetch: async (...call) => {
          const response = await fetch(...call);
          status = response.status;
          return response;
        },
      }),
    process: { env: { ASSAY_API_KEY: credentials.key, ASSAY_TOKEN: credentials.token } },
    console: {
      log: (printed: unknown) => {
        answer = printed;
      },
    },
  };
  try {
    await new AsyncFunction(...Object.keys(surroundings), code)(...Object.values(surroundings));
    return { answer, status, refusal: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { answer: null, status, refusal: 'code' in error ? String(error.code) : error.message };
  }
}

/** Everything that the examples expect to be there. */
async function prepare() {
  const customer = await newCustomer();
  const { api, person } = customer;
  await assay('users', 'flag', '--email', person.email, 'guessing_enabled', 'on', '--reason', 'A test');
  const receiver = await startEventReceiver();
  onTestFinished(() => receiver.close());
  const coupon = `DOCS-${customer.person.email.slice(4, 12).toUpperCase()}`;
  await assay('coupons', 'create', coupon, '--credits', '100', '--reason', 'A test');
  const { api_token: key } = await api.users.createScopedKey({
    body: { name: 'Examples', scopes: [...KEY_SCOPES] },
  });
  const waiting = await api.validations.createListFromEmails({
    body: { name: 'Waiting', emails: ['jane@exists.test', 'jane@greylist-never.test'] },
  });
  const file = new File(['first_name,last_name,company\nJane,Doe,greylist-never.test\n'], 'waiting.csv');
  const { upload_id } = await api.guessing.previewList({ body: { list_raw: file } });
  const waitingPeople = await api.guessing.createList({ body: { upload_id } });
  await untilList(api, 'validations', waiting.id, ({ run_state }) => run_state === 'waiting');
  await untilList(api, 'guessing', waitingPeople.id, ({ run_state }) => run_state === 'waiting');
  const waitingIds = { validations: waiting.id, guessing: waitingPeople.id };
  return { customer, key, coupon, receiverUrl: receiver.url, waitingIds };
}

type Kind = 'validations' | 'guessing';

const untilList = (
  api: Client,
  kind: Kind,
  list_id: string,
  isReached: (list: ValidationList | GuessList) => boolean,
) =>
  vi.waitFor(
    async () => {
      const list = await api[kind].getList({ params: { list_id } });
      if (!isReached(list)) throw new Error(`${list.name} is ${list.run_state ?? list.status}.`);
    },
    { timeout: 120_000, interval: 200 },
  );
const isComplete = ({ status }: { readonly status: string }) => status === 'COMPLETE';

/** Remembers ids by the path of their collection, as later examples need them. */
class Ids {
  readonly #byCollection = new Map<string, string>();

  learn({ contract }: Operation, answer: unknown): void {
    const told = answer as { id?: unknown; upload_id?: unknown; results?: { id?: unknown }[] } | null;
    const id = contract.method === 'POST' ? told?.id : told?.results?.[0]?.id;
    if (typeof id === 'string' && !this.#byCollection.has(contract.path))
      this.#byCollection.set(contract.path, id);
    if (typeof told?.upload_id === 'string')
      this.#byCollection.set(contract.path.replace(/\/validation$/, ''), told.upload_id);
  }

  of(collection: string): string {
    return this.#byCollection.get(collection) ?? '';
  }

  /** The parameters of a path, as the page shows them and as they are. */
  replacements(operation: Operation): [string, string][] {
    const { params } = exampleOf(operation);
    return [...operation.contract.path.matchAll(/\/:(\w+)/g)].flatMap((match) => {
      const id = this.#byCollection.get(operation.contract.path.slice(0, match.index));
      const shown = params[match[1] ?? ''];
      return id && shown ? [[shown, id] as [string, string]] : [];
    });
  }
}

const controlled = /\.(pause|resume|finish|reverify)List$/;
const kindOf = (name: OperationName): Kind => (name.startsWith('guessing.') ? 'guessing' : 'validations');

describe('the examples of the reference', () => {
  it('all run against the product, and the recorded answers have the shape of the contract', async () => {
    const prepared = await prepare();
    const { customer, key } = prepared;
    const ids = new Ids();
    const recorded: Record<string, unknown> = isRecording
      ? {}
      : JSON.parse(readFileSync(recordedFile, 'utf8'));
    const problems: string[] = [];
    for (const operation of inOrder()) {
      const { name, contract } = operation;
      const caller: Customer = endsSession.has(name) ? await newCustomer() : customer;
      const replaced = new Map([
        ...ids.replacements(operation),
        ['WELCOME-100', prepared.coupon],
        ['https://example.com/hooks', prepared.receiverUrl],
        ['https://example.com/other-hooks', prepared.receiverUrl],
        ['the old password', caller.person.password],
        ['the new password', 'another-balance-and-line'],
        ...(controlled.test(name) ? [[SAMPLE_ID, prepared.waitingIds[kindOf(name)]] as const] : []),
        ...(name === 'users.listKeyCalls' ? [[SAMPLE_ID, ids.of('/users/api-keys/more')] as const] : []),
        ...(name === 'guessing.createList' ? [[SAMPLE_ID, ids.of('/guessing/lists_bulk')] as const] : []),
      ]);
      if (name.endsWith('.reverifyList'))
        await untilList(customer.api, kindOf(name), prepared.waitingIds[kindOf(name)], isComplete);
      const { answer, status, refusal } = await runProgram(operation, { token: caller.token, key }, replaced);
      if (refusal !== (refused[name] ?? null)) {
        problems.push(`${name}: ${refusal ?? 'not refused any more'}`);
        continue;
      }
      if (refusal !== null) continue;
      const shown = answeredStatus(name, contract);
      if (status !== shown) problems.push(`${name}: the page says status ${shown}, the answer has ${status}`);
      if (status === 204) continue;
      ids.learn(operation, answer);
      if (name === 'validations.createListFromEmails' || name === 'guessing.createList')
        await untilList(customer.api, kindOf(name), (answer as { id: string }).id, isComplete);
      if (isRecording) recorded[name] = presentable(answer, replaced);
      const { success, error } = contract.success.schema.safeParse(recorded[name]);
      if (!success) problems.push(`${name}: the recorded answer ${error?.message}`);
      else if (keysOf(recorded[name]) !== keysOf(answer))
        problems.push(`${name}: recorded ${keysOf(recorded[name])}, answered ${keysOf(answer)}`);
    }
    if (isRecording) writeFileSync(recordedFile, `${JSON.stringify(recorded, null, 2)}\n`);

    expect(problems, 'RECORD_ANSWERS=1 records the answers again').toEqual([]);
    expect(operations.length).toBeGreaterThan(60);
  });
});

const keysOf = (answer: unknown): string =>
  Object.keys(answer as object)
    .sort()
    .join(' ');

const entriesMax = 2;
const shownDate = '2026-03-01T12:00:00.000Z';

/** The answer without what belongs to this run: ids, dates, secrets, ports. Long lists are cut. */
function presentable(answer: unknown, replaced: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(answer)) return answer.slice(0, entriesMax).map((entry) => presentable(entry, replaced));
  if (typeof answer === 'object' && answer !== null)
    return Object.fromEntries(
      Object.entries(answer).map(([name, value]) => [name, presentable(value, replaced)]),
    );
  if (typeof answer !== 'string') return answer;
  let text = answer;
  for (const [shown, real] of replaced) if (text === real) text = shown;
  return text
    .replaceAll(inject('product').url, 'https://assay.example')
    .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'https://payments.example')
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, SAMPLE_ID)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, shownDate)
    .replaceAll(/^\d{4}-\d\d-\d\d$/g, shownDate.slice(0, 10))
    .replaceAll(/(assay_live_|whsec_)[\w+/=-]+/g, '$1…')
    .replaceAll(/ada-[0-9a-f]{8}@exists\.test/g, 'ada@example.com')
    .replaceAll(/\b(?:127\.\d+\.\d+\.\d+)\b|^::1$/g, '203.0.113.7')
    .replaceAll(/(?<=[?&][\w_]+=)[^&]{20,}/g, '…')
    .replaceAll(/\b(?:cs|ps|bps|sess)_\w+/g, (id) => `${id.slice(0, 3)}…`);
}
