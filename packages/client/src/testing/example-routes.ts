import { defineRoute } from '@assay/contract';
import * as z from 'zod/mini';

const common = {
  auth: 'user_or_key',
  leastRole: 'any',
  tag: 'Tests',
  summary: 'A call',
  success: { status: 200, schema: z.object({ ok: z.boolean() }) },
} as const;

/** One call of each kind that the client repeats differently. */
export const exampleRoutes = {
  things: {
    get: defineRoute({ ...common, method: 'GET', path: '/things' }),
    buy: defineRoute({ ...common, method: 'POST', path: '/things', takesIdempotencyKey: true }),
    make: defineRoute({ ...common, method: 'POST', path: '/others' }),
    preview: defineRoute({ ...common, method: 'POST', path: '/previews', isRepeatable: true }),
    remove: defineRoute({ ...common, method: 'DELETE', path: '/things/:id' }),
  },
};
