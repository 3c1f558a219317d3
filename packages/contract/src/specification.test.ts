import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type RouteContract, realtimeEventSchema, routes } from './index.ts';

const calls: RouteContract[] = Object.values(routes).flatMap((feature) => Object.values(feature));
const callOf = (line: string): RouteContract => {
  const [method, path] = line.split(' ');
  const found = calls.find((call) => call.method === method && call.path === path);
  if (!found) throw new Error(`the contract has no ${line}`);
  return found;
};

interface Described {
  readonly properties?: Record<string, Described>;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
}

/** Every field of a schema, as `subscription.plan.code`. */
function fieldsOf(schema: z.core.$ZodType | undefined): string[] {
  if (!schema) return [];
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described;
  const walk = (part: Described, path: string): string[] => [
    ...Object.entries(part.properties ?? {}).flatMap(([name, field]) => [
      `${path}${name}`,
      ...walk(field, `${path}${name}.`),
    ]),
    ...(part.items ? walk(part.items, path) : []),
    ...(part.anyOf ?? []).flatMap((choice) => walk(choice, path)),
  ];
  return [...new Set(walk(described, ''))];
}

const words = (text: string): string[] => text.split(' ').filter(Boolean);

describe('§7 The calls it makes', () => {
  it.each([
    ['GET /billing/me', '', 'balance subscription'],
    ['GET /billing/me/transactions', 'page_size page_number', 'results total'],
    ['POST /billing/coupons/:coupon_id/redemption', '', 'coupon.amount_of_credits'],
    ['GET /billing/me/subscriptions/customer_portal', '', 'portal_url'],
    ['GET /users/api-keys', '', 'results'],
    ['POST /users/api-keys', '', ''],
    ['DELETE /users/api-keys/:id', '', ''],
    ['GET /users/me', '', 'id first_name'],
    ['PATCH /users/me', 'first_name last_name phone', ''],
    ['PUT /users/me/password', 'current_password new_password', ''],
    ['PUT /users/me/reset_password', '', ''],
    ['DELETE /users/me', '', ''],
    ['POST /users/support_cases', 'subject description', ''],
    ['GET /validations/lists', 'page_size page_number', 'results total'],
    ['GET /validations/lists/:list_id', '', 'id name'],
    ['GET /validations/lists/:list_id/emails', 'page_size page_number', 'results total'],
    ['PUT /validations/lists/:list_id', 'id name', ''],
    ['DELETE /validations/lists/:list_id', '', ''],
    ['GET /validations/email_validation', 'page_size page_number', 'results total'],
    ['POST /validations/email_validation', 'email email_address', ''],
    ['GET /validations/lists/metrics', 'from_date to_date group_by', ''],
    ['POST /validations/lists_bulk/validation', 'list_raw', 'total_credits metrics'],
    ['POST /validations/lists_bulk', 'list_raw with_headers', 'name'],
    ['POST /validations/lists/:list_id/export', 'status', 'download_link'],
  ])('§7 %s takes [%s] and answers [%s]', (line, taken, answered) => {
    const { query, body, success } = callOf(line);

    expect([...fieldsOf(query), ...fieldsOf(body)]).toEqual(expect.arrayContaining(words(taken)));
    expect(fieldsOf(success.schema)).toEqual(expect.arrayContaining(words(answered)));
  });
});

describe('calls that cost credits', () => {
  it('take an Idempotency-Key, so that the client can repeat them; no other call does', () => {
    expect(
      calls.filter((call) => call.takesIdempotencyKey).map(({ method, path }) => `${method} ${path}`),
    ).toEqual([
      'POST /guessing/email_guess',
      'POST /guessing/lists/:list_id/reverify',
      'POST /guessing/lists_bulk',
      'POST /validations/email_validation',
      'POST /validations/lists',
      'POST /validations/lists/:list_id/reverify',
      'POST /validations/lists_bulk',
    ]);
  });
});

describe('§3 Entities and their fields', () => {
  const answerOf = (line: string) => callOf(line).success.schema;
  it.each([
    [
      'User',
      answerOf('GET /users/me'),
      `id first_name last_name email_address phone identities creation_date
       feature_flags.guessing_enabled feature_flags.can_change_password`,
    ],
    [
      'Wallet',
      answerOf('GET /billing/me'),
      `balance subscription.next_renewal_date subscription.plan.code subscription.plan.monthly_credits
       subscription.plan.monthly_cost_in_cents`,
    ],
    [
      'Transaction',
      answerOf('GET /billing/me/transactions'),
      `total results.category results.source results.description results.amount results.balance_after
       results.creation_date`,
    ],
    ['Api key', answerOf('GET /users/api-keys'), 'results.id results.api_token results.creation_date'],
    [
      'Validation list',
      answerOf('GET /validations/lists/:list_id'),
      `id name status progress creation_date email_metrics.valid_emails email_metrics.invalid_emails
       email_metrics.catch_all_emails email_metrics.unknown_emails validation_email_metrics.completed`,
    ],
    [
      'Single validation',
      answerOf('GET /validations/email_validation'),
      'results.email_address results.email_address_status results.status results.creation_date',
    ],
    [
      'Metrics entry',
      answerOf('GET /validations/lists/metrics'),
      `date validation_list_email_metrics.pending_emails validation_list_email_metrics.valid_emails
       validation_list_email_metrics.invalid_emails validation_list_email_metrics.unknown_emails
       validation_list_email_metrics.catch_all_emails`,
    ],
    [
      'List preview',
      answerOf('POST /validations/lists_bulk/validation'),
      'total_credits metrics.billable metrics.non_billable metrics.duplicated',
    ],
    ['Created list', answerOf('POST /validations/lists_bulk'), 'name'],
    ['Export response', answerOf('POST /validations/lists/:list_id/export'), 'download_link'],
    ['Support case', callOf('POST /users/support_cases').body, 'subject description'],
    [
      'Realtime event',
      realtimeEventSchema,
      'event_type event_metadata.list_id event_metadata.progress event_metadata.email_address_status',
    ],
  ])('§3 %s has its fields', (_, schema, fields) => {
    const named = words(fields.replaceAll(/\s+/g, ' '));
    // In a list or a page, the entity's fields are one level below.
    const present = fieldsOf(schema).flatMap((field) => [field, field.replace(/^results\./, '')]);

    expect(present).toEqual(expect.arrayContaining(named));
  });

  it('§3 statuses and verdicts have the names of the specification', () => {
    const choicesOf = (line: string, field: string) => {
      const described = JSON.stringify(z.toJSONSchema(answerOf(line), { unrepresentable: 'any' }));
      return new RegExp(`"${field}":\\{[^}]*?"enum":\\[([^\\]]*)\\]`).exec(described)?.[1];
    };

    expect(choicesOf('GET /validations/lists/:list_id', 'status')).toBe('"PENDING","COMPLETE"');
    expect(choicesOf('GET /validations/email_validation', 'status')).toBe(
      '"PENDING","IN_PROGRESS","COMPLETE"',
    );
    expect(choicesOf('GET /validations/email_validation', 'email_address_status')).toBe(
      '"VALID","INVALID","CATCH_ALL","UNKNOWN"',
    );
  });
});
