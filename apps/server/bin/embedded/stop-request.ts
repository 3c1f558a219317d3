import { endInTime, onParentGone } from '../../src/processes/end-in-time.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A request to stop: a signal to this process or one of its parts, the end of the parent process, or a failure. */
export interface StopRequest {
  readonly signal: AbortSignal;
  readonly asked: Promise<void>;
  /** The first request counts. With a failure, the product ends with code 1. */
  ask(failure?: Error): void;
  readonly failure: Error | undefined;
  /** Lets this process end, once nothing is left to stop. */
  release(): void;
}

/** Signals that come again while everything stops change nothing: stopping has its own last resort. */
export function listenForStop(): StopRequest {
  const controller = new AbortController();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let failure: Error | undefined;
  const ask = (cause?: Error): void => {
    if (controller.signal.aborted) return;
    failure = cause;
    endInTime(() => console.error('Assay did not end in time; ending without closing what is still open.'));
    controller.abort();
    resolve();
  };
  for (const signal of signals) process.on(signal, () => ask());
  onParentGone(() => ask());
  // The parts run on threads and in processes of their own, so this is an error of the supervisor itself. It ends in
  // order, so that no process and no database is left behind.
  process.on('uncaughtException', (error) => ask(error));
  return {
    signal: controller.signal,
    asked,
    ask,
    get failure() {
      return failure;
    },
    release: () => {
      process.channel?.unref();
      // For a part that did not close in time and would keep the process alive.
      setTimeout(() => process.exit(), 500).unref();
    },
  };
}
