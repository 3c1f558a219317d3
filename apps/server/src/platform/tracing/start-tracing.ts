import { context, propagation, trace } from '@opentelemetry/api';
import { traceIds } from './trace-ids.ts';

interface TracingOptions {
  /** The collector's address for OTLP over HTTP, without `/v1/traces`. */
  readonly endpoint: string | null;
  /** Which part of the requests is traced. */
  readonly percent: number;
}

/** For a collector that is away or slow, retries included. A process that stops waits at most this long for it. */
const exportPatienceMs = 3_000;

/**
 * Sends the spans of this process to the collector from now on, if there is one. OpenTelemetry loads only here, because
 * it would cost every other start memory and time. Resolves to what ends it.
 */
export async function startTracing(
  { endpoint, percent }: TracingOptions,
  process: 'api' | 'worker',
): Promise<() => Promise<void>> {
  if (endpoint === null) return async () => undefined;
  const [{ W3CTraceContextPropagator }, hooks, { resourceFromAttributes }, sdk, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/core'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportPatienceMs,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `assay-${process}` }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(percent / 100) }),
    idGenerator: traceIds,
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    // The last spans are lost if the collector is away; the process ends well all the same.
    await provider.shutdown().catch(() => undefined);
    trace.disable();
    propagation.disable();
    context.disable();
  };
}
