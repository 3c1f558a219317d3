import * as z from 'zod/mini';
import { dateTimeSchema, idSchema, nothingSchema, switchSchema } from './fields.ts';
import { firstNameSchema, lastNameSchema } from './input/person-name.ts';
import { keyCallRoutes } from './key-calls.ts';
import { isPhoneMissing, PHONE_REQUIRED_TEXT } from './names/phone-missing.ts';
import { defineRoute } from './route.ts';
import { scopedKeyRoutes } from './scoped-keys.ts';

export const featureFlagsSchema = z.object({
  guessing_enabled: z.boolean(),
  can_change_password: z.boolean(),
});
export type FeatureFlags = z.output<typeof featureFlagsSchema>;
export const FEATURE_FLAGS = Object.keys(featureFlagsSchema.shape) as (keyof FeatureFlags)[];

export const userSchema = z.object({
  id: idSchema,
  first_name: z.string(),
  last_name: z.string(),
  email_address: z.string(),
  phone: z.nullable(z.string()),
  /** How the person signs in: `email`, or the name of a social provider. */
  identities: z.array(z.string()),
  creation_date: dateTimeSchema,
  feature_flags: featureFlagsSchema,
  /** `held` while we review the account, `suspended` until our support reopens it; absent while everything is allowed. */
  restriction: z.optional(z.enum(['held', 'suspended'])),
  /** Whether we mail when a list is complete; absent where no mail is sent. */
  list_mails: z.optional(z.boolean()),
  /** Whether we mail about a low balance and a stopped top-up; absent where no mail is sent. */
  balance_mails: z.optional(z.boolean()),
  /** Whether we mail about a changed plan and a failed payment; absent where no mail is sent. */
  plan_mails: z.optional(z.boolean()),
});
export type User = z.output<typeof userSchema>;

/** Absent fields stay unchanged. */
export const profileChangesSchema = z.strictObject({
  first_name: z.optional(firstNameSchema),
  last_name: z.optional(lastNameSchema),
  /** Whether to mail when a list is complete. */
  list_mails: z.optional(z.boolean()),
  /** Whether to mail about a low balance and a stopped top-up. */
  balance_mails: z.optional(z.boolean()),
  /** Whether to mail about a changed plan and a failed payment. */
  plan_mails: z.optional(z.boolean()),
  /** Client and server check it with `phoneSchema`. */
  phone: z.optional(
    z.string().check(
      z.trim(),
      z.maxLength(40),
      z.refine((phone) => !isPhoneMissing(phone), PHONE_REQUIRED_TEXT),
    ),
  ),
});
export type ProfileChanges = z.output<typeof profileChangesSchema>;

/** The provider checks passwords; this only limits their length. */
const passwordSchema = z.string().check(z.minLength(1), z.maxLength(512));

export const passwordChangeSchema = z.strictObject({
  current_password: passwordSchema,
  new_password: passwordSchema,
});
export type PasswordChange = z.output<typeof passwordChangeSchema>;

/** Revealing secrets, making further API keys, downloading all data and deleting the account need a sign-in that is at most this old. */
export const RECENT_SIGN_IN_SECONDS = 600;

/** Access tokens should not live longer: a token outlives its session by this much if the provider does not tell us. */
export const ACCESS_TOKEN_SECONDS_MAX = 1_800;

/** A sign-in that has not ended, in some browser. */
export const signInSessionSchema = z.object({
  /** The `sid` of its tokens. */
  id: z.string(),
  /** The browser as it calls itself; null if the provider does not tell. */
  agent: z.nullable(z.string()),
  /** The network address that used it last; null if the provider does not tell. */
  address: z.nullable(z.string()),
  start_date: dateTimeSchema,
  /** When its token was last renewed, which a browser in use does every 15 minutes. */
  last_used_date: dateTimeSchema,
  /** Whether it is the session of this call. */
  is_current: z.boolean(),
});
export type SignInSession = z.output<typeof signInSessionSchema>;

export const SECOND_FACTORS = ['authenticator', 'passkey'] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

export const accountSecuritySchema = z.object({
  /** What a sign-in by password asks for besides; empty if nothing, null if the provider does not tell. */
  second_factors: z.nullable(z.array(z.enum(SECOND_FACTORS))),
  /** The last used first; null if the provider does not tell. */
  sessions: z.nullable(z.array(signInSessionSchema)),
});
export type AccountSecurity = z.output<typeof accountSecuritySchema>;

export const apiKeySchema = z.object({
  id: idSchema,
  /** In full if it is new or was revealed; else its prefix, `…` and its last four characters. */
  api_token: z.string(),
  creation_date: dateTimeSchema,
  /** To the minute; null if never used. */
  last_used_date: z.nullable(dateTimeSchema),
});
export type ApiKey = z.output<typeof apiKeySchema>;

/**
 * Secrets are revealed after a recent sign-in only, and the activity log says so. A caller without one gets masked secrets, or
 * 403 `sign_in_again` with `reveal=true`. `reveal=false` masks them in any case.
 */
export const revealQuerySchema = z.strictObject({ reveal: z.optional(switchSchema) });

export const usersRoutes = {
  getMe: defineRoute({
    method: 'GET',
    path: '/users/me',
    auth: 'user',
    leastRole: 'any',
    tag: 'Account',
    summary: 'Get the signed-in customer',
    success: { status: 200, schema: userSchema },
  }),
  updateMe: defineRoute({
    method: 'PATCH',
    path: '/users/me',
    auth: 'user',
    leastRole: 'any',
    tag: 'Account',
    summary: 'Change name or phone number',
    isRepeatable: true,
    body: profileChangesSchema,
    success: { status: 200, schema: userSchema },
  }),
  deleteMe: defineRoute({
    method: 'DELETE',
    path: '/users/me',
    auth: 'user',
    leastRole: 'owner',
    tag: 'Account',
    summary: 'Delete the account and everything in it; needs a sign-in in the last 10 minutes',
    success: { status: 204, schema: nothingSchema },
  }),
  resetPassword: defineRoute({
    method: 'PUT',
    path: '/users/me/reset_password',
    auth: 'user',
    leastRole: 'any',
    tag: 'Account',
    summary: 'Require a new password at the next sign-in; ends all other sessions',
    success: { status: 204, schema: nothingSchema },
  }),
  changePassword: defineRoute({
    method: 'PUT',
    path: '/users/me/password',
    auth: 'user',
    leastRole: 'any',
    tag: 'Account',
    summary: 'Change the password; ends all other sessions',
    body: passwordChangeSchema,
    success: { status: 204, schema: nothingSchema },
  }),
  endOtherSessions: defineRoute({
    method: 'DELETE',
    path: '/users/me/sessions',
    isOpenWhenSuspended: true,
    auth: 'user',
    leastRole: 'any',
    tag: 'Account',
    summary: 'Sign out everywhere else; all tokens issued until now become invalid, so renew yours',
    success: { status: 204, schema: nothingSchema },
  }),
  endSession: defineRoute({
    method: 'DELETE',
    path: '/users/me/sessions/current',
    isOpenWhenSuspended: true,
    auth: 'user',
    leastRole: 'any',
    tag: 'Account',
    summary: 'Sign out: the tokens of this session become invalid',
    success: { status: 204, schema: nothingSchema },
  }),
  getSecurity: defineRoute({
    method: 'GET',
    path: '/users/me/security',
    isOpenWhenSuspended: true,
    auth: 'user',
    leastRole: 'any',
    tag: 'Account',
    summary: 'Get your second factors and your sessions',
    success: { status: 200, schema: accountSecuritySchema },
  }),
  endSessionById: defineRoute({
    method: 'DELETE',
    path: '/users/me/sessions/:session_id',
    isOpenWhenSuspended: true,
    auth: 'user',
    leastRole: 'any',
    tag: 'Account',
    summary: 'End one of your sessions; its tokens become invalid',
    params: z.strictObject({ session_id: z.string().check(z.minLength(1), z.maxLength(100)) }),
    success: { status: 204, schema: nothingSchema },
  }),
  listApiKeys: defineRoute({
    method: 'GET',
    path: '/users/api-keys',
    auth: 'user',
    leastRole: 'admin',
    tag: 'API keys',
    summary: 'Get your API key, if you have one; in full after a sign-in in the last 10 minutes',
    query: revealQuerySchema,
    success: { status: 200, schema: z.object({ results: z.array(apiKeySchema) }) },
  }),
  createApiKey: defineRoute({
    method: 'POST',
    path: '/users/api-keys',
    auth: 'user',
    leastRole: 'admin',
    tag: 'API keys',
    summary: 'Create an API key; 409 if you have one',
    success: { status: 201, schema: apiKeySchema },
  }),
  deleteApiKey: defineRoute({
    method: 'DELETE',
    path: '/users/api-keys/:id',
    auth: 'user',
    leastRole: 'admin',
    tag: 'API keys',
    summary: 'Delete your API key; calls with it are refused from then on',
    params: z.strictObject({ id: idSchema }),
    success: { status: 204, schema: nothingSchema },
  }),
  ...keyCallRoutes,
  ...scopedKeyRoutes,
};
