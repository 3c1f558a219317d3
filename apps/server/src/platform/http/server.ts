import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { type Schedule, systemSchedule } from '../clock.ts';
import type { WaitingLine } from '../database/waiting-line.ts';
import { AppError } from '../errors/index.ts';
import type { Logger } from '../logging/index.ts';
import { traceRequests } from '../tracing/index.ts';
import { logAnswers } from './access-log.ts';
import { type ConnectionLimits, limitConnections, limitsBelow, readFileLimit } from './connection-limits.ts';
import { pathOf, sendRefusal } from './error-handler.ts';
import { readJsonBodies } from './json-body.ts';
import { type PressureLimits, shedLoad } from './load-shedding.ts';
import { answerOf } from './refusals.ts';
import { hasBody, watchRequestPace } from './request-pace.ts';
import { listRoutes, type RouteList } from './route-list.ts';
import { addSecurityHeaders, type SecurityHeaderOptions } from './security-headers.ts';
import { newTraceId, TRACE_HEADER } from './trace-id.ts';
import { limitUnreadBodies } from './unread-bodies.ts';
import { validatorCompiler } from './validate.ts';
import { redirectOrRefuse } from './web-app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The page that a person sees in place of a refusal. */
    problemPage: ProblemPage;
  }
}

type ProblemPage = (problem: { readonly text: string; readonly traceId: string }) => string;

export interface HttpServerOptions extends SecurityHeaderOptions {
  readonly problemPage: ProblemPage;
  readonly logger: Logger;
  readonly trustedProxies: readonly string[];
  /** A share of what the file limit of this process allows, unless given. */
  readonly connectionsPerAddress?: number | null;
  readonly connectionsMax?: number;
  readonly bodyLimitBytes: number;
  /** How much of bodies that are answered already is read and dropped, of one network in a minute. */
  readonly unreadBytesMax?: number;
  /** Where a connection may become a WebSocket. Elsewhere a wish to upgrade is overlooked, as HTTP allows. */
  readonly upgradePath?: string;
  readonly pressure?: PressureLimits;
  readonly waitingLine?: WaitingLine;
  readonly schedule?: Schedule;
  readonly isTraced?: boolean;
  /** Whether every call is refused, because this process is about to end. */
  readonly mustRefuse?: (() => boolean) | undefined;
}

export interface HttpServer {
  readonly app: FastifyInstance;
  readonly routeList: RouteList;
}

/** A request that is not complete by then is given up: uploads of large lists fit, slow-dripping attackers do not. */
const requestTimeoutMs = 600_000;
/** The head of a request comes in one or two packets. Connections on which it does not come in time are closed. */
const headersTimeoutMs = 10_000;
const timeoutsLookEveryMs = 2_000;
const refusedReadMs = 1_000;
const pluginTimeoutMs = 60_000;
/** The process is back, or another takes over. */
const refusedRetrySeconds = 5;
const endIdleEveryMs = 100;

/** Fastify with what every answer of ours has in common: error model, trace id, headers, limits, log line. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { fastify, LogController } = await import('fastify');
  const schedule = options.schedule ?? systemSchedule;
  const limitUnread = limitUnreadBodies(schedule, options.unreadBytesMax);
  const app: FastifyInstance = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'trace_id' }),
    genReqId: newTraceId,
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    // Plugins load their code when they are registered, which takes long where many processes start at once.
    pluginTimeout: pluginTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutsLookEveryMs,
      // Node's own refusal of a request without a host has no body; ours is below.
      requireHostHeader: false,
      // Node applies no timeouts to upgraded connections. Only the realtime path accepts them and closes them itself.
      shouldUpgradeCallback: (request) => pathOf(request.url ?? '') === options.upgradePath,
    },
    forceCloseConnections: 'idle',
    // While we shut down, requests on connections that are still open are answered as usual; readiness says no.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.header(TRACE_HEADER, request.id);
      limitUnread(request, reply);
      redirectOrRefuse(error, request, reply);
    },
    clientErrorHandler: refuseGarbage,
  });
  const routeList = listRoutes(app);
  app.decorateRequest('customer', null);
  app.decorateRequest('callingKey', null);
  app.decorateRequest('refusal', null);
  app.decorate('problemPage', options.problemPage);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(sendRefusal);
  readJsonBodies(app);
  if (options.isTraced) traceRequests(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header(TRACE_HEADER, request.id);
    limitUnread(request, reply);
    const { httpVersion, headers } = request.raw;
    if (headers.host === undefined && httpVersion !== '1.0') throw new AppError('bad_request');
  });
  if (options.mustRefuse) refuseWhen(app, options.mustRefuse);
  watchRequestPace(app, schedule);
  // An expectation that we do not know is overlooked, as HTTP allows. Node would refuse it without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  limitConnections(app.server, connectionLimitsOf(options), options);
  // A connection that could not be accepted, for example because no file is left, ends nothing else.
  app.server.on('error', (error) => options.logger.warn({ err: error }, 'the HTTP server had a problem'));
  endConnectionsWhenClosing(app);
  logAnswers(app);
  addSecurityHeaders(app, options);
  // Request bodies are never inflated: a small one could become very large.
  await app.register(import('@fastify/compress'), { globalDecompression: false, threshold: 1_024 });
  shedLoad(app, { limits: options.pressure, waitingLine: options.waitingLine });
  return { app, routeList };
}

function connectionLimitsOf({ connectionsMax, connectionsPerAddress }: HttpServerOptions): ConnectionLimits {
  const limits = limitsBelow(readFileLimit());
  return {
    connectionsMax: connectionsMax ?? limits.connectionsMax,
    connectionsPerAddress: connectionsPerAddress ?? limits.connectionsPerAddress,
  };
}

/** Refuses every call and closes its connection, so that the client goes elsewhere. One that still sends a body would lose the answer. */
function refuseWhen(app: FastifyInstance, mustRefuse: () => boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!mustRefuse()) return;
    if (!hasBody(request)) reply.header('connection', 'close');
    throw new AppError('service_unavailable', {}, { meta: { retry_after_seconds: refusedRetrySeconds } });
  });
}

/** While we stop, each answer closes its connection, so that no client sends another request on it. */
function endConnectionsWhenClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    if (!app.server.listening) return;
    // A call that was answered before all of its body had arrived leaves its connection idle only later, and nobody would end it.
    const ending = setInterval(() => app.server.closeIdleConnections(), endIdleEveryMs);
    app.server.once('close', () => clearInterval(ending));
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (isClosing) reply.header('connection', 'close');
    return payload;
  });
}

/** What is no HTTP at all never becomes a request; it still gets the error model and a trace id that is logged. */
function refuseGarbage(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  // Browsers keep connections ready for a request to come, and would take an answer now for the answer to that.
  if (socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const traceId = newTraceId();
  this.log.info({ trace_id: traceId, code: error.code }, 'connection refused');
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'payload_too_large' : 'bad_request';
  const refusal = new AppError(code);
  const body = JSON.stringify(answerOf(refusal, traceId));
  // A client that does not close its side would keep the connection. The wait lets it read the answer before.
  setTimeout(() => socket.destroy(), refusedReadMs).unref();
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${refusal.status === 413 ? 'Content Too Large' : 'Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${TRACE_HEADER}: ${traceId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
