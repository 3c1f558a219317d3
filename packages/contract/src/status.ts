import * as z from 'zod/mini';
import { dateTimeSchema, idSchema } from './fields.ts';
import { defineRoute } from './route.ts';

export const STATUS_PARTS = ['api', 'verification', 'lists'] as const;

/** The states of an incident; the status page also has `operational`. */
export const INCIDENT_STATES = ['degraded', 'unavailable'] as const;
/** How long the status page shows incidents. */
export const INCIDENT_DAYS = 90;

export const incidentSchema = z.object({
  id: idSchema,
  part: z.enum(STATUS_PARTS),
  /** The worst that it was. */
  state: z.enum(INCIDENT_STATES),
  start_date: dateTimeSchema,
  /** Null while it lasts. */
  end_date: z.nullable(dateTimeSchema),
  /** What people wrote about it, the oldest first. */
  notes: z.array(z.object({ date: dateTimeSchema, words: z.string() })),
});
export type Incident = z.output<typeof incidentSchema>;

export const statusSchema = z.object({
  date: dateTimeSchema,
  parts: z.array(
    z.object({ name: z.enum(STATUS_PARTS), state: z.enum(['operational', ...INCIDENT_STATES]) }),
  ),
  /** Mail providers that defer, block or do not answer many questions now: checks of addresses there take longer. */
  slow_providers: z.array(z.object({ provider: z.string(), start_date: dateTimeSchema })),
  /** Of the last 90 days, the newest first. */
  incidents: z.array(incidentSchema),
});
export type Status = z.output<typeof statusSchema>;

export const statusRoutes = {
  getStatus: defineRoute({
    method: 'GET',
    path: '/status',
    auth: 'public',
    tag: 'Status',
    summary:
      'Get whether the API, verification and lists work, which mail providers answer slowly, and incidents of the last 90 days; renewed every half minute',
    success: { status: 200, schema: statusSchema },
  }),
};
