import { statusRoutes } from '@assay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WaitingLine } from '../database/waiting-line.ts';
import { AppError } from '../errors/index.ts';
import { watchLoopDelay } from './loop-delay.ts';

export interface PressureLimits {
  /** How late the event loop may be on average before new requests are turned away. */
  readonly loopDelayMsMax: number;
  /** How often that is measured. A loop that is blocked for this long counts as infinitely late. */
  readonly sampleEveryMs: number;
}

const limitsInLife: PressureLimits = { loopDelayMsMax: 2_000, sampleEveryMs: 5_000 };
const retryAfterSeconds = 5;

/** A process that cannot keep up says so at once, instead of letting all callers wait and fail later. */
export function shedLoad(
  app: FastifyInstance,
  {
    limits = limitsInLife,
    waitingLine,
  }: { limits?: PressureLimits | undefined; waitingLine?: WaitingLine | undefined },
): void {
  const refuse = (request: FastifyRequest, type: string, value?: number) => {
    // Health checks still get an answer. Otherwise a supervisor would restart a process that is only busy.
    // So does the status page, which says what is wrong.
    const isStatus = request.routeOptions.config?.contract === statusRoutes.getStatus;
    if (request.url.startsWith('/health/') || isStatus) return;
    throw new AppError(
      'service_unavailable',
      { type, value },
      { meta: { retry_after_seconds: retryAfterSeconds } },
    );
  };
  const loopDelay = watchLoopDelay(limits.sampleEveryMs);
  app.addHook('onClose', async () => loopDelay.close());
  app.addHook('onRequest', async (request) => {
    if (loopDelay.ms > limits.loopDelayMsMax) refuse(request, 'eventLoopDelay', loopDelay.ms);
  });
  if (!waitingLine) return;
  // Whether the processor or the database is too slow, calls that are under way wait here, and the line grows at
  // once. Uploads, downloads and calls that wait for a verdict hold no connection meanwhile and do not count.
  app.addHook('onRequest', async (request) => {
    if (waitingLine.isOverlong()) refuse(request, 'waitingLine');
  });
}
