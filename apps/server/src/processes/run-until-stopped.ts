export interface RunningProcess {
  /** Resolves with who asks this process to stop: the system, a terminal, or a supervisor that is gone. */
  readonly stopAsked: Promise<string>;
  /** Closed last first when the work is over, also when a later part could not be opened. */
  readonly opened: AsyncDisposableStack;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** One process from its start to its end. */
export async function runUntilStopped(work: (running: RunningProcess) => Promise<void>): Promise<void> {
  const { promise: stopAsked, resolve } = Promise.withResolvers<string>();
  const onDisconnect = () => resolve('disconnect');
  // The channel to a supervisor closes when that ends, however it ends. Without one, this never comes.
  process.on('disconnect', onDisconnect);
  // Kept on while stopping, so that a second signal does not end the process in the middle of it.
  for (const signal of signals) process.on(signal, resolve);

  const opened = new AsyncDisposableStack();
  try {
    await work({ stopAsked, opened });
  } finally {
    await opened.disposeAsync();
    // Listening for its end keeps the channel, and with it the process, alive.
    process.off('disconnect', onDisconnect);
    for (const signal of signals) process.off(signal, resolve);
  }
}
