import type { FastifyInstance } from 'fastify';

/** One line per answered request, by route: addresses of requests may hold what belongs to people. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime),
      ...(request.caller && { account_id: request.caller.accountId, user_id: request.caller.userId }),
    };
    request.log[isRoutine(request.routeOptions.url) ? 'debug' : 'info'](line, 'answered');
  });
}

/** Health checks and the web app's files would drown everything else. */
const isRoutine = (route: string | undefined): boolean =>
  route !== undefined && (route === '/*' || route.startsWith('/health/'));
