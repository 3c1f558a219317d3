import type { FastifyInstance } from 'fastify';

/** One line per answered request, by route: addresses of requests may hold what belongs to people. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime),
      ...(request.customer && { user_id: request.customer.userId }),
    };
    if (request.routeOptions.url?.startsWith('/health/')) request.log.debug(line, 'answered');
    else request.log.info(line, 'answered');
  });
}
