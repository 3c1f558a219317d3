import * as z from 'zod/mini';
import { dateTimeSchema, idSchema } from './fields.ts';
import { pageOf, pageQuerySchema } from './paging.ts';
import { defineRoute } from './route.ts';

/** One call of an API key. It holds no address and no id: only which call it was and how it ended. */
export const keyCallSchema = z.object({
  date: dateTimeSchema,
  call: z.string(),
  http_status: z.number(),
  took_ms: z.number(),
});
export type KeyCall = z.output<typeof keyCallSchema>;

export const keyCallRoutes = {
  listKeyCalls: defineRoute({
    method: 'GET',
    path: '/users/api-keys/calls/:id',
    auth: 'user',
    leastRole: 'admin',
    tag: 'API keys',
    summary: 'List the last calls of an API key, newest first',
    params: z.strictObject({ id: idSchema }),
    query: pageQuerySchema,
    success: { status: 200, schema: pageOf(keyCallSchema) },
  }),
};
