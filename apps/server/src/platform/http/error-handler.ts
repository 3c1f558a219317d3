import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/index.ts';
import type { AccountId } from '../ids.ts';
import { answerOf, refusalFor } from './refusals.ts';
import type { RouteList } from './route-list.ts';

/** The one place where an error becomes an answer. See docs/decisions/api-errors.md. */
export function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalFor(error);
  request.refusal = refusal;
  logRefusal(refusal, request);
  if (refusal.status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer realm="assay"');
  // Fastify closes the connection after a body that is too long. A client that still sends it would lose the answer, so
  // the rest of the body is read and dropped; watchRequestPace ends it if it takes too long, and limitUnreadBodies if it is too much.
  if (refusal.code === 'payload_too_large') reply.removeHeader('connection');
  if (refusal.retryAfterSeconds) reply.header('retry-after', refusal.retryAfterSeconds);
  reply.code(refusal.status).header('cache-control', 'no-store');
  if (request.routeOptions.config.isOpenedByPeople && prefersPage(request)) {
    const page = request.server.problemPage({ text: refusal.message, traceId: request.id });
    return reply.type('text/html; charset=utf-8').serializer(String).send(page);
  }
  return reply
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(answerOf(refusal, request.id));
}

/** Whether a browser asks for a page: programs send no such header, or another type. */
export const prefersPage = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') === true;

/** Our own trouble is an error; a caller's mistake is a line to find when they ask about their trace id. */
function logRefusal(refusal: AppError, request: FastifyRequest): void {
  if (refusal.code === 'internal_error') request.log.error({ err: refusal.cause }, 'request failed');
  else if (refusal.status >= 500) request.log.warn({ err: refusal }, 'request could not be served');
  else request.log.info({ code: refusal.code, details: refusal.details }, 'request refused');
}

/**
 * Refuses calls that broke because their account was deleted while they ran: rows that they refer to are gone.
 * Asked only when a call has failed, so that other calls pay nothing for it.
 */
export function refuseDeparted(
  app: FastifyInstance,
  isAccount: (accountId: AccountId) => Promise<boolean>,
): void {
  app.setErrorHandler(async (error, request, reply) => {
    const accountId = request.caller?.accountId;
    const isFault = refusalFor(error).code === 'internal_error';
    const isGone = isFault && accountId !== undefined && !(await isAccount(accountId).catch(() => true));
    const refusal = isGone ? new AppError('unauthorized', { accountId }, { cause: error }) : error;
    return sendRefusal(refusal, request, reply);
  });
}

/** Answers 405 at a known address with the wrong method, else 404. */
export function refuseUnknownRoute({ methodsAt }: RouteList) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const methods = methodsAt(pathOf(request.url));
    if (methods.length === 0) return sendRefusal(new AppError('route_not_found'), request, reply);
    reply.header('allow', methods.join(', '));
    return sendRefusal(new AppError('method_not_allowed', {}, { meta: { allow: methods } }), request, reply);
  };
}

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';
