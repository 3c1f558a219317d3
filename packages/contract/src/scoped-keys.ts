import * as z from 'zod/mini';
import { dateTimeSchema, idSchema, nothingSchema } from './fields.ts';
import { KEY_SCOPES } from './names/key-scopes.ts';
import { SCOPED_KEYS } from './names/scoped-key-limits.ts';
import { defineRoute } from './route.ts';

export const keyModeSchema = z.enum(['live', 'test']);
export type KeyMode = z.output<typeof keyModeSchema>;

const networkTextMax = 49;
const ipv4 = z.ipv4();
const ipv6 = z.ipv6();

/** Whether a text is an IP address or a network such as `203.0.113.0/24` or `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const bitsMax = ipv4.safeParse(address).success ? 32 : ipv6.safeParse(address).success ? 128 : null;
  if (bitsMax === null || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
}

const keyFields = {
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Name required'),
      z.maxLength(
        SCOPED_KEYS.nameLengthMax,
        `Name requires no more than ${SCOPED_KEYS.nameLengthMax} characters`,
      ),
    ),
  /** What the key may do. Every key may read `billing/me`. */
  scopes: z.array(z.enum(KEY_SCOPES)).check(z.maxLength(KEY_SCOPES.length)),
  /** Credits that work of one calendar month (UTC) may hold and cost; null for no limit. */
  monthly_credit_limit: z.nullable(z.int().check(z.minimum(1), z.maximum(SCOPED_KEYS.creditLimitMax))),
  /** Where the key may be used from, as IP addresses or networks; empty for everywhere. */
  allowed_networks: z
    .array(
      z
        .string()
        .check(
          z.trim(),
          z.toLowerCase(),
          z.maxLength(networkTextMax),
          z.refine(isNetwork, 'Enter an IP address or a network such as 203.0.113.0/24'),
        ),
    )
    .check(z.maxLength(SCOPED_KEYS.networksMax)),
  /** From when on the key is refused; null for never. */
  expiration_date: z.nullable(dateTimeSchema),
};

export const newScopedKeySchema = z.strictObject({
  name: keyFields.name,
  mode: z._default(keyModeSchema, 'live'),
  scopes: keyFields.scopes,
  monthly_credit_limit: z._default(keyFields.monthly_credit_limit, null),
  allowed_networks: z._default(keyFields.allowed_networks, []),
  expiration_date: z._default(keyFields.expiration_date, null),
});
export type NewScopedKey = z.output<typeof newScopedKeySchema>;

/** Absent fields stay unchanged. */
export const scopedKeyChangesSchema = z.partial(z.strictObject(keyFields));
export type ScopedKeyChanges = z.output<typeof scopedKeyChangesSchema>;

export const scopedKeySchema = z.object({
  id: idSchema,
  name: z.string(),
  mode: keyModeSchema,
  scopes: z.array(z.enum(KEY_SCOPES)),
  monthly_credit_limit: z.nullable(z.number()),
  /** Credits of this calendar month (UTC): those that the key's work cost, and those that it holds. */
  month_credits: z.number(),
  allowed_networks: z.array(z.string()),
  expiration_date: z.nullable(dateTimeSchema),
  /** The prefix of the secret, `…` and its last four characters. */
  masked_token: z.string(),
  /** Until when the secret before the last roll is valid; null if it is not. */
  previous_token_until: z.nullable(dateTimeSchema),
  creation_date: dateTimeSchema,
  /** To the minute; null if never used. */
  last_used_date: z.nullable(dateTimeSchema),
});
export type ScopedKey = z.output<typeof scopedKeySchema>;

/** Only this answer has the secret: we keep a hash of it. */
export const scopedKeyWithTokenSchema = z.extend(scopedKeySchema, { api_token: z.string() });
export type ScopedKeyWithToken = z.output<typeof scopedKeyWithTokenSchema>;

export const keyUsageSchema = z.object({
  /** The days in UTC, the oldest first, with the credits that the key's work of that day cost or holds. */
  results: z.array(z.object({ date: z.string(), credits: z.number() })),
});
export type KeyUsage = z.output<typeof keyUsageSchema>;

const tag = 'API keys';
const keyParams = z.strictObject({ id: idSchema });

export const scopedKeyRoutes = {
  listScopedKeys: defineRoute({
    method: 'GET',
    path: '/users/api-keys/more',
    auth: 'user',
    leastRole: 'admin',
    tag,
    summary: 'List your further API keys, the newest first',
    success: { status: 200, schema: z.object({ results: z.array(scopedKeySchema) }) },
  }),
  createScopedKey: defineRoute({
    method: 'POST',
    path: '/users/api-keys/more',
    auth: 'user',
    leastRole: 'admin',
    tag,
    summary: `Create a further API key; only this answer has its secret; 409 if you have ${SCOPED_KEYS.countMax}; needs a sign-in in the last 10 minutes`,
    body: newScopedKeySchema,
    success: { status: 201, schema: scopedKeyWithTokenSchema },
  }),
  updateScopedKey: defineRoute({
    method: 'PATCH',
    path: '/users/api-keys/more/:id',
    auth: 'user',
    leastRole: 'admin',
    tag,
    summary: 'Change what a further API key may do; takes effect at once',
    isRepeatable: true,
    params: keyParams,
    body: scopedKeyChangesSchema,
    success: { status: 200, schema: scopedKeySchema },
  }),
  rollScopedKey: defineRoute({
    method: 'POST',
    path: '/users/api-keys/more/:id/roll',
    auth: 'user',
    leastRole: 'admin',
    tag,
    summary:
      'Replace the secret of a further API key; the old one stays valid for the given hours; needs a sign-in in the last 10 minutes',
    params: keyParams,
    body: z.strictObject({
      overlap_hours: z._default(
        z.int().check(z.minimum(0), z.maximum(SCOPED_KEYS.overlapHoursMax)),
        SCOPED_KEYS.overlapHoursDefault,
      ),
    }),
    success: { status: 200, schema: scopedKeyWithTokenSchema },
  }),
  revokeScopedKey: defineRoute({
    method: 'DELETE',
    path: '/users/api-keys/more/:id',
    auth: 'user',
    leastRole: 'admin',
    tag,
    summary: 'Revoke a further API key; calls with it are refused from then on',
    params: keyParams,
    success: { status: 204, schema: nothingSchema },
  }),
  getScopedKeyUsage: defineRoute({
    method: 'GET',
    path: '/users/api-keys/more/:id/usage',
    auth: 'user',
    leastRole: 'admin',
    tag,
    summary: `Get the credits of a further API key per day, for the last ${SCOPED_KEYS.usageDays} days`,
    params: keyParams,
    success: { status: 200, schema: keyUsageSchema },
  }),
};
