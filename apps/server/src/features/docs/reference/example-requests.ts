import { SAMPLE_VALUES } from '@assay/contract/samples';
import type { Operation, OperationName } from './operations.ts';

type Values = Readonly<Record<string, unknown>>;

/** What the example of a call sends. */
export interface ExampleRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Values;
  /** Fields of JSON or of a form; null without a body. */
  readonly body: Values | null;
}

/** A value of a form that is a file of the reader's. */
interface ExampleFile {
  readonly name: string;
  readonly contents: string;
}

export const exampleFile: ExampleFile = {
  name: 'people.csv',
  contents: 'name,email\nJane,jane@exists.test\nNobody,nobody@exists.test\n',
};
const formerFile: ExampleFile = {
  name: 'unsubscribed.csv',
  contents: 'email,reason\nformer@exists.test,unsubscribed\n',
};
const bouncesFile: ExampleFile = {
  name: 'bounces.csv',
  contents:
    'email,event,date,reason\nformer@exists.test,bounce,2026-03-02T09:30:00Z,550 5.1.1 User unknown\n',
};
const namesFile: ExampleFile = {
  name: 'names.csv',
  contents: 'first_name,last_name,company\nJane,Doe,dotted.test\nAnn,Lee,catch-all.test\n',
};

export const fileIn = (value: unknown): ExampleFile | undefined =>
  [exampleFile, formerFile, bouncesFile, namesFile].find((file) => file === value);

export const SAMPLE_ID = '0b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90';
/** By their place in a path, so that two are never mixed up. */
const sampleIds = [SAMPLE_ID, '5c2e9d47-81b6-4f3a-a0d5-7e94b6c1f238'];

/** Where required fields alone would make a poor example. */
const chosen: { readonly [Name in OperationName]?: { readonly query?: Values; readonly body?: Values } } = {
  'validations.startSingle': { query: { wait: 30 }, body: { email_address: 'jane@exists.test' } },
  'validations.listSingles': { query: { status: 'VALID', page_size: 10 } },
  'validations.exportSingles': { query: { status: 'VALID' } },
  'validations.createListFromEmails': {
    body: { name: 'Spring list', emails: ['jane@exists.test', 'anyone@catch-all.test'] },
  },
  'validations.listLists': { query: { sort: '-creation_date', page_size: 10 } },
  'validations.listEmails': { query: { status: 'VALID', page_size: 10 } },
  'validations.getMetrics': {
    query: { from_date: '2026-03-01T00:00:00Z', to_date: '2026-03-02T23:59:59Z', group_by: 'DAY' },
  },
  'validations.previewList': { body: { list_raw: exampleFile } },
  'validations.createList': { body: { name: 'people', list_raw: exampleFile } },
  'validations.exportList': { query: { status: 'VALID', format: 'xlsx' } },
  'validations.createExportLink': { body: { status: ['VALID'], days: 7 } },
  'bounces.explain': {
    body: { reply: '550 5.1.1 <nobody@exists.test>: Recipient address rejected: User unknown' },
  },
  'outcomes.report': {
    body: {
      outcomes: [
        {
          email: 'former@exists.test',
          kind: 'bounce',
          at: '2026-03-02T09:30:00Z',
          detail: '550 5.1.1 User unknown',
          id: 'event-1',
        },
      ],
    },
  },
  'outcomes.listOutcomes': { query: { kind: 'hard', page_size: 10 } },
  'outcomes.previewFile': { body: { list_raw: bouncesFile } },
  'outcomes.importFile': { body: { list_raw: bouncesFile } },
  'suppressions.listSuppressions': { query: { kind: 'address', page_size: 10 } },
  'suppressions.addSuppressions': {
    body: { entries: [{ target: 'former@exists.test', reason: 'unsubscribed' }, { target: 'former.test' }] },
  },
  'suppressions.removeSuppression': { query: { target: 'former@exists.test' } },
  'suppressions.importSuppressions': { body: { list_raw: formerFile } },
  'suppressions.exportSuppressions': { query: { reason: 'complaint' } },
  'suppressions.listSuppressionChanges': { query: { limit: 100 } },
  'guessing.startGuess': { body: { first_name: 'Jane', last_name: 'Doe', domain: 'dotted.test' } },
  'guessing.listGuesses': { query: { page_size: 10 } },
  'guessing.listLists': { query: { sort: '-creation_date', page_size: 10 } },
  'guessing.listPeople': { query: { outcome: 'FOUND', page_size: 10 } },
  'guessing.previewList': { body: { list_raw: namesFile } },
  'guessing.createList': { body: { upload_id: SAMPLE_ID, name: 'Fair' } },
  'guessing.exportList': { query: { outcome: 'FOUND', format: 'xlsx' } },
  'billing.setBalanceAlerts': { body: { thresholds: [500, 100] } },
  'billing.setAutomaticTopUp': {
    body: { is_on: true, below: 500, pack: '10K', monthly_cap_in_cents: 10_000 },
  },
  'billing.buyPack': { body: { pack: '10K' } },
  'billing.setInvoiceDetails': {
    body: {
      company: 'Example AG',
      line1: 'Bahnhofstrasse 1',
      line2: '',
      postal_code: '8001',
      city: 'Zürich',
      state: '',
      country: 'CH',
      tax_number: '',
    },
  },
  'users.updateMe': { body: { first_name: 'Jane', last_name: 'Doe' } },
  'users.createScopedKey': {
    body: { name: 'CRM', mode: 'live', scopes: ['verify', 'read_results'], monthly_credit_limit: 5_000 },
  },
  'users.updateScopedKey': { body: { monthly_credit_limit: 8_000 } },
  'users.rollScopedKey': { body: { overlap_hours: 24 } },
  'users.changePassword': {
    body: { current_password: 'the old password', new_password: 'the new password' },
  },
  'records.setRetention': { body: { days: 90 } },
  'records.previewRetention': { query: { days: '30' } },
  'support.openCase': {
    body: { subject: 'Call Requested', description: 'Please call me about a plan for 5 million checks.' },
  },
  'feeds.createFeed': {
    body: { sender: 'ses', topic_arn: 'arn:aws:sns:eu-west-1:123456789012:bounces' },
  },
  'feeds.updateFeed': { body: { topic_arn: 'arn:aws:sns:eu-west-1:123456789012:bounces' } },
  'webhooks.createWebhook': {
    body: { url: 'https://example.com/hooks', event_types: ['list.completed', 'list.failed'] },
  },
  'webhooks.updateWebhook': { body: { url: 'https://example.com/other-hooks' } },
  'warmUp.finishAuthorization': { body: { code: 'the code', state: 'the state' } },
};

/** Other parameters of paths are ids. */
const sampleParams: Readonly<Record<string, string>> = {
  coupon_id: 'WELCOME-100',
  checkout_id: 'cs_1',
  email_id: '1',
  invoice_id: 'in_1',
  provider: 'google',
};

/** A request that works, from samples of the contract. `tests/e2e/docs/reference.test.ts` sends it. */
export function exampleOf({ name, params, query, body }: Operation): ExampleRequest {
  const given = chosen[name];
  return {
    params: Object.fromEntries(
      params.map(({ name: field }, index) => [field, sampleParams[field] ?? sampleIds[index] ?? SAMPLE_ID]),
    ),
    query: given?.query ?? requiredValues(query),
    body: body ? (given?.body ?? requiredValues(body.fields)) : null,
  };
}

const requiredValues = (fields: Operation['query']): Values =>
  Object.fromEntries(
    fields
      .filter(({ name, isRequired }) => isRequired && /^\w+$/.test(name))
      .map(({ name, values }) => [name, SAMPLE_VALUES[name]?.[0] ?? values[0] ?? 'text']),
  );
