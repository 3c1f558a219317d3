import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';

/** Why the process should get no traffic now, or null when it should. */
export type Readiness = () => Promise<
  'stopping' | 'database_unreachable' | 'migrations_missing' | 'web_app_missing' | null
>;

const healthSchema = z.object({ status: z.string() });

/** `live` says that the process answers at all; `ready`, that it can do its work. */
export function addHealth(app: FastifyInstance, whyNotReady: Readiness): void {
  const options = {
    config: { auth: 'public' },
    schema: { response: { 200: healthSchema, 503: healthSchema } },
  } as const;
  app.get('/health/live', options, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/health/ready', options, async (_request, reply) => {
    const problem = await whyNotReady();
    reply.code(problem ? 503 : 200).header('cache-control', 'no-store');
    return { status: problem ?? 'ok' };
  });
}
