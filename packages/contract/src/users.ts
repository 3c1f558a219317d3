import * as z from 'zod/mini';
import { dateTimeSchema, idSchema } from './fields.ts';
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

export const usersRoutes = {
  getMe: defineRoute({
    method: 'GET',
    path: '/users/me',
    auth: 'user',
    tag: 'Users',
    summary: 'The signed-in customer',
    success: { status: 200, schema: userSchema },
  }),
};
