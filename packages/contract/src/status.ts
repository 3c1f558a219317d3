import * as z from 'zod/mini';
import { dateTimeSchema } from './fields.ts';
import { defineRoute } from './route.ts';

export const STATUS_PARTS = ['api', 'verification', 'lists'] as const;

export const statusSchema = z.object({
  date: dateTimeSchema,
  parts: z.array(
    z.object({ name: z.enum(STATUS_PARTS), state: z.enum(['operational', 'degraded', 'unavailable']) }),
  ),
});
export type Status = z.output<typeof statusSchema>;

export const statusRoutes = {
  getStatus: defineRoute({
    method: 'GET',
    path: '/status',
    auth: 'public',
    tag: 'Status',
    summary: 'Get whether the API, verification and lists work; renewed every half minute',
    success: { status: 200, schema: statusSchema },
  }),
};
