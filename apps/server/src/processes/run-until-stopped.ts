import { createLogger, flushLog, type Logger } from '../platform/logging/index.ts';
import { endInTime, onParentGone } from './end-in-time.ts';
import { catchUncaught } from './last-handler.ts';

export interface RunningProcess {
  readonly logger: Logger;
  /** Resolves with the reason to stop: a signal, `disconnect` when the supervisor is gone, or an uncaught error. */
  readonly stopAsked: Promise<string>;
  /** Whether an error that nothing caught is the reason: then the process must take no new work. */
  readonly hasFailed: () => boolean;
  /** Closed in reverse order when the work ends, also if a later part could not be opened. */
  readonly opened: AsyncDisposableStack;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** Runs a process until it is stopped, then closes what it opened. Returns its exit code: 1 after an error that nothing caught. */
export async function runUntilStopped(
  options: { readonly level: string; readonly process: string; readonly drainSeconds?: number },
  work: (running: RunningProcess) => Promise<void>,
): Promise<0 | 1> {
  const logger = createLogger(options);
  const { promise: stopAsked, resolve } = Promise.withResolvers<string>();
  const onDisconnect = () => resolve('disconnect');
  onParentGone(onDisconnect);
  // Kept while stopping, so that a second signal does not interrupt it.
  for (const signal of signals) process.on(signal, resolve);
  const lastHandler = catchUncaught(logger, () => resolve('uncaught error'));
  // Also while it starts, when nothing waits for the request yet.
  void stopAsked.then(() =>
    endInTime(() => logger.fatal('did not end in time; ending without closing what is still open'), {
      drainMs: (options.drainSeconds ?? 0) * 1_000,
    }),
  );

  const opened = new AsyncDisposableStack();
  opened.defer(() => flushLog(logger));
  opened.defer(() => logger.info('stopped'));
  try {
    await work({ logger, stopAsked, hasFailed: () => lastHandler.failure !== undefined, opened });
  } finally {
    // Also if a part cannot be closed: the listener of the channel keeps the process alive.
    await opened.disposeAsync().finally(() => {
      process.off('disconnect', onDisconnect);
      for (const signal of signals) process.off(signal, resolve);
      lastHandler.remove();
    });
  }
  return lastHandler.failure ? 1 : 0;
}
