import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beginTraceAs } from './trace-ids.ts';

const tracer = trace.getTracer('assay');

/** Each request begins a trace whose id is the one in its answer; a trace that the caller names is not joined. */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request;
    const name = `${method} ${routeOptions.url ?? 'unknown'}`;
    const attributes = { 'http.request.method': method, 'http.route': routeOptions.url ?? '' };
    const span = beginTraceAs(request.id, () =>
      tracer.startSpan(name, { kind: SpanKind.SERVER, root: true, attributes }),
    );
    spans.set(request, span);
    context.with(trace.setSpan(context.active(), span), done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
}
