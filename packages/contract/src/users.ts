import * as z from 'zod/mini';
import { dateTimeSchema, idSchema, nothingSchema, switchSchema } from './fields.ts';
import { firstNameSchema, lastNameSchema } from './person-name.ts';
import { isPhoneMissing, PHONE_REQUIRED_TEXT } from './phone-missing.ts';
import { defineRoute } from './route.ts';

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
});
export type User = z.output<typeof userSchema>;

/** What is left out stays as it is. */
export const profileChangesSchema = z.strictObject({
  first_name: z.optional(firstNameSchema),
  last_name: z.optional(lastNameSchema),
  /** Whether it is a number that exists is checked by `phoneSchema`, on both sides of the wire. */
  phone: z.optional(
    z.string().check(
      z.trim(),
      z.maxLength(40),
      z.refine((phone) => !isPhoneMissing(phone), PHONE_REQUIRED_TEXT),
    ),
  ),
});
export type ProfileChanges = z.output<typeof profileChangesSchema>;

/** The provider has the rules for passwords; this only bounds what travels. */
const passwordSchema = z.string().check(z.minLength(1), z.maxLength(512));

export const passwordChangeSchema = z.strictObject({
  current_password: passwordSchema,
  new_password: passwordSchema,
});
export type PasswordChange = z.output<typeof passwordChangeSchema>;

/** Showing a secret and deleting the account need a sign-in that is at most this old. */
export const RECENT_SIGN_IN_SECONDS = 600;

/** Access tokens should not live longer: that long one may outlive its session where the provider tells nobody. */
export const ACCESS_TOKEN_SECONDS_MAX = 1_800;

/** Every key of a customer begins with this, so that one that has leaked can be recognised. */
export const API_KEY_PREFIX = 'assay_live_';

export const apiKeySchema = z.object({
  id: idSchema,
  /** In full when the key was just made or the caller signed in recently; else its prefix, `…` and its last four characters. */
  api_token: z.string(),
  creation_date: dateTimeSchema,
  /** To the minute; null for a key that was never used. */
  last_used_date: z.nullable(dateTimeSchema),
});
export type ApiKey = z.output<typeof apiKeySchema>;

/** With `reveal`, a caller who did not sign in recently is refused (403 `sign_in_again`) instead of told a part. */
export const revealQuerySchema = z.strictObject({ reveal: z.optional(switchSchema) });

export const usersRoutes = {
  getMe: defineRoute({
    method: 'GET',
    path: '/users/me',
    auth: 'user',
    tag: 'Users',
    summary: 'The signed-in customer',
    success: { status: 200, schema: userSchema },
  }),
  updateMe: defineRoute({
    method: 'PATCH',
    path: '/users/me',
    auth: 'user',
    tag: 'Users',
    summary: 'Change name or phone number',
    isRepeatable: true,
    body: profileChangesSchema,
    success: { status: 200, schema: userSchema },
  }),
  deleteMe: defineRoute({
    method: 'DELETE',
    path: '/users/me',
    auth: 'user',
    tag: 'Users',
    summary: 'Delete the account and everything in it; needs a sign-in from the last 10 minutes',
    success: { status: 204, schema: nothingSchema },
  }),
  resetPassword: defineRoute({
    method: 'PUT',
    path: '/users/me/reset_password',
    auth: 'user',
    tag: 'Users',
    summary: 'Be asked for a new password at the next sign-in; ends all other sessions',
    success: { status: 204, schema: nothingSchema },
  }),
  changePassword: defineRoute({
    method: 'PUT',
    path: '/users/me/password',
    auth: 'user',
    tag: 'Users',
    summary: 'Change the password; ends all other sessions',
    body: passwordChangeSchema,
    success: { status: 204, schema: nothingSchema },
  }),
  endOtherSessions: defineRoute({
    method: 'DELETE',
    path: '/users/me/sessions',
    auth: 'user',
    tag: 'Users',
    summary: 'Sign out everywhere else; tokens issued until now are refused from then on, so renew yours',
    success: { status: 204, schema: nothingSchema },
  }),
  endSession: defineRoute({
    method: 'DELETE',
    path: '/users/me/sessions/current',
    auth: 'user',
    tag: 'Users',
    summary: 'Sign out: the tokens of this session are refused from then on',
    success: { status: 204, schema: nothingSchema },
  }),
  listApiKeys: defineRoute({
    method: 'GET',
    path: '/users/api-keys',
    auth: 'user',
    tag: 'Users',
    summary: 'Your API key, if you have one; in full after a sign-in in the last 10 minutes',
    query: revealQuerySchema,
    success: { status: 200, schema: z.object({ results: z.array(apiKeySchema) }) },
  }),
  createApiKey: defineRoute({
    method: 'POST',
    path: '/users/api-keys',
    auth: 'user',
    tag: 'Users',
    summary: 'Make an API key; 409 while you have one',
    success: { status: 201, schema: apiKeySchema },
  }),
  deleteApiKey: defineRoute({
    method: 'DELETE',
    path: '/users/api-keys/:id',
    auth: 'user',
    tag: 'Users',
    summary: 'Delete your API key; it opens nothing from then on',
    params: z.strictObject({ id: idSchema }),
    success: { status: 204, schema: nothingSchema },
  }),
};
