import type { Logger } from '../platform/logging/index.ts';

export interface LastHandler {
  /** The first error that nothing caught. */
  readonly failure: Error | undefined;
  remove(): void;
}

/** Work under way has so long to end. What fails once may hang, so the process ends then in any case. */
const drainMsMax = 15_000;

/**
 * Handles errors that nothing caught, in this process or thread. Node would end it at once, and all work under way with
 * it. Instead it stops in order and ends with code 1; the supervisor, systemd or the container then starts it again.
 */
export function catchUncaught(logger: Logger, stop: () => void): LastHandler {
  let failure: Error | undefined;
  const onUncaught = (thrown: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
    const error = thrown instanceof Error ? thrown : new Error('A value that is no error was thrown.');
    logger.fatal(
      { err: error, origin },
      'uncaught error; taking no new work, ending when the work under way is done',
    );
    // What fails while we stop is logged. The time is already limited.
    if (failure) return;
    failure = error;
    setTimeout(() => process.exit(1), drainMsMax).unref();
    stop();
  };
  // Rejections that nothing handles come here too.
  process.on('uncaughtException', onUncaught);
  return {
    get failure() {
      return failure;
    },
    remove: () => process.off('uncaughtException', onUncaught),
  };
}
