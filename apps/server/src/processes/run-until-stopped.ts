export interface RunningProcess {
  /** Resolves with the reason to stop: a signal, or `disconnect` when the supervisor is gone. */
  readonly stopAsked: Promise<string>;
  /** Closed in reverse order when the work ends, also if a later part could not be opened. */
  readonly opened: AsyncDisposableStack;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** Runs a process until it is stopped, then closes what it opened. */
export async function runUntilStopped(work: (running: RunningProcess) => Promise<void>): Promise<void> {
  const { promise: stopAsked, resolve } = Promise.withResolvers<string>();
  const onDisconnect = () => resolve('disconnect');
  // The channel to a supervisor closes when the supervisor ends, for any reason.
  process.on('disconnect', onDisconnect);
  // Kept while stopping, so that a second signal does not interrupt it.
  for (const signal of signals) process.on(signal, resolve);

  const opened = new AsyncDisposableStack();
  try {
    await work({ stopAsked, opened });
  } finally {
    // Also if a part cannot be closed: the listener of the channel keeps the process alive.
    await opened.disposeAsync().finally(() => {
      process.off('disconnect', onDisconnect);
      for (const signal of signals) process.off(signal, resolve);
    });
  }
}
