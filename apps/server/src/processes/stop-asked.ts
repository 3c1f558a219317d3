export interface StopWatch extends Disposable {
  /** Resolves with who asks this process to stop: the system, a terminal, or a supervisor that is gone. */
  readonly asked: Promise<string>;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** Dispose of it when the process is done: until then it keeps the process alive, if a supervisor started it. */
export function watchForStop(): StopWatch {
  const { promise: asked, resolve } = Promise.withResolvers<string>();
  const onDisconnect = () => resolve('disconnect');
  // The channel to a supervisor closes when that ends, however it ends. Without one, this never comes.
  process.on('disconnect', onDisconnect);
  // Kept on while stopping, so that a second signal does not end the process in the middle of it.
  for (const signal of signals) process.on(signal, resolve);
  return {
    asked,
    [Symbol.dispose]: () => {
      process.off('disconnect', onDisconnect);
      for (const signal of signals) process.off(signal, resolve);
    },
  };
}
