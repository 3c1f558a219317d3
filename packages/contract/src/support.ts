import * as z from 'zod/mini';
import { idSchema } from './fields.ts';
import { defineRoute } from './route.ts';

export const CALL_REQUEST_SUBJECT = 'Call Requested';

export const supportRoutes = {
  openCase: defineRoute({
    method: 'POST',
    path: '/users/support_cases',
    auth: 'user',
    tag: 'Support',
    summary: 'Ask to be called or helped',
    body: z.strictObject({
      subject: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
      description: z.string().check(z.trim(), z.minLength(1), z.maxLength(5_000)),
      /** The number to call. Kept in the profile too, if there is none yet. Checked by `phoneSchema`. */
      phone: z.optional(z.string().check(z.trim(), z.maxLength(40))),
    }),
    success: { status: 201, schema: z.object({ id: idSchema }) },
  }),
};
