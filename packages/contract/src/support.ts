import * as z from 'zod/mini';
import { idSchema } from './fields.ts';
import { defineRoute } from './route.ts';

export const CALL_REQUEST_SUBJECT = 'Call Requested';

export const supportRoutes = {
  openCase: defineRoute({
    method: 'POST',
    path: '/users/support_cases',
    isOpenWhenSuspended: true,
    auth: 'user',
    leastRole: 'any',
    tag: 'Account',
    summary: 'Request a call or help',
    body: z.strictObject({
      subject: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
      description: z.string().check(z.trim(), z.minLength(1), z.maxLength(5_000)),
      /** The number to call, checked by `phoneSchema`. Also saved in the profile if that has none. */
      phone: z.optional(z.string().check(z.trim(), z.maxLength(40))),
    }),
    success: { status: 201, schema: z.object({ id: idSchema }) },
  }),
};
