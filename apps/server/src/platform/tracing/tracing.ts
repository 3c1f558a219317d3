import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

// Until `startTracing` has run, everything of OpenTelemetry's API does nothing.
const tracer = trace.getTracer('assay');

/** Where a trace goes on in another process, as W3C writes it. */
export interface TraceLink {
  readonly traceparent?: string;
}

/** The trace that is under way, for work that is done later or elsewhere. Empty when nothing is traced. */
export function linkToTrace(): TraceLink {
  const link: { traceparent?: string } = {};
  propagation.inject(context.active(), link);
  return link.traceparent === undefined ? {} : { traceparent: link.traceparent };
}

/** Does a piece of work as a span of the trace that the link leads to. */
export function followTrace<Result>(
  name: string,
  link: TraceLink,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = propagation.extract(ROOT_CONTEXT, link);
  return tracer.startActiveSpan(name, { attributes }, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      // The message may tell about people; the log has it, without them.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A step that is over: when it began, how long it took, and the steps that it consisted of, one after another. */
export interface PastStep {
  readonly name: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly attributes: Attributes;
  readonly steps?: readonly Omit<PastStep, 'startMs' | 'steps'>[];
}

export const isTraced = (): boolean => trace.getActiveSpan()?.isRecording() === true;

/** Adds steps that were not traced while they ran to the trace that is under way. */
export function recordSteps({ name, startMs, durationMs, attributes, steps = [] }: PastStep): void {
  const span = tracer.startSpan(name, { startTime: startMs, attributes });
  const inside = trace.setSpan(context.active(), span);
  let atMs = startMs;
  for (const step of steps) {
    const { name: stepName, attributes: stepAttributes } = step;
    const child = tracer.startSpan(stepName, { startTime: atMs, attributes: stepAttributes }, inside);
    atMs += step.durationMs;
    child.end(atMs);
  }
  span.end(startMs + durationMs);
}
